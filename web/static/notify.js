// A notification of this very browser while nobody looks at the page: no server elsewhere has a part.

import { say } from "./draw.js";

export const canNotify = isSecureContext && "Notification" in window && "serviceWorker" in navigator;

// Whether the owner of the phone lets the page notify.
export const ask = async () => (await Notification.requestPermission()) === "granted";

export async function notify(body) {
  if (!canNotify || Notification.permission !== "granted" || document.visibilityState === "visible") return;
  const worker = await navigator.serviceWorker.ready;
  worker.showNotification(say("title"), { body, tag: "table", icon: "/static/icons/icon-192.png", data: location.pathname });
}
