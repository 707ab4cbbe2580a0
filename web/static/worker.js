// Stands in for the server only where a page cannot be had at all: then it shows a kept notice.

const KEPT = "offline-1";
const NOTICE = ["/offline", "/static/base.css", "/static/pair.css", "/static/offline.js"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(NOTICE)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== KEPT).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  else if (NOTICE.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(path)));
});
