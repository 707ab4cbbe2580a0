// The stream of views, and how old what it brought is.

import { spoken } from "./draw.js";
import { keepLast, lastSeen } from "./last.js";

const SILENT_S = 12; // the server speaks every 5 s; after two missed beats the line is lost
const GRACE_S = 3; // a reconnection this short is nobody's business
const RETRY_MS = 2000;
const { delay } = document.body.dataset; // seconds: streams' pictures come late
const asked = new URLSearchParams({ ...(delay && { delay }), ...(spoken[2] && { lang: spoken[2] }) });
const STREAM = asked.size ? `/api/stream?${asked}` : "/api/stream";

let run = null; // the program's run: another one means that this page itself may be old
let clock = 0; // seconds to add to this device's clock to get the program's
let heard = [performance.now(), Date.now()];
let stream = null;
let retry = 0;
let isOld = false; // what is shown is what this page saw last: the table was never reached
let listener = { onView() {}, onHealth() {}, onTime() {}, onWaiting() {} };

// Follow the stream from now on.
export function follow(callbacks) {
  listener = { ...listener, ...callbacks };
  connect();
}

// The program's clock, in seconds since the epoch: devices' own clocks may be wrong.
export const programTime = () => Date.now() / 1000 + clock;

// Seconds since the stream last said anything. The one clock stands still while some phones sleep,
// the other may be set: the longer time counts.
export const silence = () => Math.max(performance.now() - heard[0], Date.now() - heard[1]) / 1000;

export const isLost = () =>
  silence() > SILENT_S || (silence() > GRACE_S && stream.readyState !== EventSource.OPEN);

function connect() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource(STREAM);
  on("hello", (hello) => {
    if (isOld || (run !== null && run !== hello.run)) return leave();
    run = hello.run;
    setClock(hello);
  });
  on("beat", setClock);
  on("waiting", (waiting) => listener.onWaiting(waiting));
  on("view", (view) => {
    keepLast(view);
    listener.onView(view);
  });
  on("health", (health) => listener.onHealth(health));
  stream.onerror = () => {
    showLast();
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
  };
}

// This page belongs to a program that has ended: until the new one is there it draws nothing of what
// comes, and nobody taps on it what would be lost with it.
function leave() {
  stream.close();
  document.body.inert = true;
  location.reload();
}

function showLast() {
  if (run !== null || isOld) return;
  const last = lastSeen();
  isOld = last !== null;
  if (isOld) listener.onView(last);
}

function on(event, react) {
  stream.addEventListener(event, ({ data }) => {
    heard = [performance.now(), Date.now()];
    react(JSON.parse(data));
  });
}

function setClock({ now }) {
  clock = now - Date.now() / 1000;
  listener.onTime();
}

// A sleeping phone's connection is often dead without a word: do not wait to find out.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && silence() > 6) connect();
});
addEventListener("pageshow", (event) => event.persisted && connect());
addEventListener("online", connect);
