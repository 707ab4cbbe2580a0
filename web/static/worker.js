// Stands in for the server where it cannot be reached: with the page of the table as it was last
// seen, else with a kept notice. What comes from the server always goes before what is kept.

const KEPT = "offline-2";
const NOTICE = ["/offline", "/static/base.css", "/static/pair.css", "/static/offline.js"];
const TABLE = /^\/(seat\/[0-3]|tv|scorer)?$/;
const LAST = "/last"; // the table's page that was opened last

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(NOTICE)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== KEPT).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(part(request, pathname));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = (pages) => pages[0]?.focus() ?? self.clients.openWindow(event.notification.data);
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(open));
});

async function page(request, pathname) {
  try {
    const reply = await fetch(request);
    if (TABLE.test(pathname)) await keepPage(reply.clone(), new URL(reply.url || request.url).pathname);
    return reply;
  } catch {
    const found = (await caches.match(pathname)) ?? (pathname === "/" ? await caches.match(LAST) : undefined);
    return found ?? caches.match("/offline");
  }
}

// Who was let out keeps nothing of the table.
async function keepPage(reply, pathname) {
  const cache = await caches.open(KEPT);
  if (!reply.ok) return cache.delete(pathname);
  const [content, { headers }] = [await reply.blob(), reply];
  if (pathname !== "/") await cache.put(pathname, new Response(content, { headers }));
  return cache.put(LAST, new Response(content, { headers }));
}

async function part(request, pathname) {
  try {
    const reply = await fetch(request);
    if (reply.ok) (await caches.open(KEPT)).put(pathname, reply.clone());
    return reply;
  } catch (error) {
    const found = await caches.match(pathname);
    if (found) return found;
    throw error;
  }
}
