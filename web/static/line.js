// One live stream a browser, however many of its pages are open: it has six connections to a server.
//
// The page whose stream is the youngest tells the others all that comes. Who is not looked at lets
// go. (Web Locks would choose the page, but only over https; a shared worker is unknown to phones.)

import { now, pause } from "./time.js";

const EVENTS = ["hello", "beat", "waiting", "view", "health", "hall"];
const WHOLE = ["view", "hall", "beat"]; // after the first of these a stream has told everything
const SAID_MS = 1000;
const MISSING_MS = 3000; // who holds the stream has said nothing for so long
const SPREAD_MS = 300; // not all take over at once
const SILENT_S = 12; // the server speaks every 5 s; after two missed beats the line is lost
const GRACE_S = 3; // a reconnection this short is nobody's business
const RETRY_MS = 2000;

let stream = null; // this page's own
let opened = 0; // when it was, with a little chance: no two pages' are equal
let isWhole = false;
let other = -Infinity; // when another page told something last
let heard = now();
let isBroken = false;
let retry = 0;
let path = "";
let hear = () => {};
let stays = () => false;
let channel = null;
let isHere = false;

// Seconds since the program last said anything.
export const silence = () => (now() - heard) / 1000;

export const isLost = () => {
  const isCut = isBroken || (stream !== null && stream.readyState !== EventSource.OPEN);
  return silence() > SILENT_S || (silence() > GRACE_S && isCut);
};

// Hear each event of the stream as (name, data), and "lost" when the line breaks.
// `stays`: whether the page is to hear while nobody looks at it.
export function followLine(address, hearing, staying = stays) {
  [path, hear, stays] = [address, hearing, staying];
  join();
  setInterval(look, SAID_MS);
  document.addEventListener("visibilitychange", () => {
    if (!isWanted()) letGo();
    else if (stream === null || silence() > 6) open(); // a sleeping phone's line is often dead without a word
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && join());
  addEventListener("online", () => isWanted() && open());
}

const isWanted = () => isHere && (document.visibilityState === "visible" || stays());

// The page goes: nothing is heard any more.
export function leave() {
  letGo();
  channel?.close();
  [channel, isHere] = [null, false];
}

function join() {
  isHere = true;
  // Pages of another session see another table.
  const { content } = document.querySelector("meta[name=table-token]");
  try {
    channel = new BroadcastChannel(`${path} ${content}`);
    channel.onmessage = told;
  } catch {
    channel = null; // unknown, or forbidden with cookies: each page that is looked at has its own stream
  }
  if (isWanted()) open();
}

function open() {
  clearTimeout(retry);
  stream?.close();
  const mine = new EventSource(path);
  [stream, opened, isWhole] = [mine, Date.now() + Math.random(), false];
  for (const name of EVENTS) {
    mine.addEventListener(name, ({ data }) => {
      if (mine !== stream) return;
      isWhole ||= WHOLE.includes(name);
      tell(name, JSON.parse(data));
    });
  }
  mine.onerror = () => {
    isWhole = false;
    tell("lost");
    if (mine.readyState === EventSource.CLOSED && mine === stream) retry = setTimeout(open, RETRY_MS);
  };
}

function letGo() {
  if (stream === null) return;
  drop();
  channel?.postMessage([opened, "gone"]);
}

function drop() {
  clearTimeout(retry);
  stream?.close();
  stream = null;
}

function look() {
  const isSilent = silence() > SILENT_S;
  if (stream !== null && isSilent && Date.now() - opened > 1000 * SILENT_S) open();
  else if (stream?.readyState === EventSource.OPEN && isWhole && !isSilent) channel?.postMessage([opened, "here"]);
  else if (stream === null && isWanted() && now() - other > MISSING_MS) open();
}

function tell(name, data) {
  take(name, data);
  channel?.postMessage([opened, name, data]);
}

async function told({ data: [since, name, data] }) {
  if (name === "gone") {
    other = -Infinity;
    await pause(SPREAD_MS * Math.random());
    return look();
  }
  other = now();
  if (stream !== null && since > opened && name !== "lost") drop();
  if (name !== "here" && !(name === "lost" && stream !== null)) take(name, data);
  return undefined;
}

function take(name, data) {
  isBroken = name === "lost";
  if (!isBroken) heard = now();
  hear(name, data);
}
