// How well the table is seen: the sources, the ages of their readings, the camera's picture.

import { age, make, pick, say, sync, text } from "./draw.js";
import { isLost, programTime, silence } from "./live.js";

const FEW = 2; // more places that cannot be seen are told as one
const OLD_S = 15; // a camera or board that is "live" and has said nothing for so long is not
const BRIEF_S = 3; // a picture less, or a plug that was pulled and put back, is nothing to tell
const WRITTEN = ["log", "evidence", "mqtt", "webhook"]; // they are written, not read
const COMPLAINT_MS = 8000;
const PICTURE_MS = 2000;
const NO_PICTURE_MS = 60_000; // a browser writes each picture that does not come on its console

const list = document.getElementById("health");
const line = document.getElementById("line");
const toKeys = Object.assign(document.createElement("a"), { href: "#keys" });

let alarm = { sentence: "", until: 0 };

// Why something was not done is said for a while.
document.addEventListener("told", ({ detail }) => {
  alarm = { sentence: detail, until: performance.now() + COMPLAINT_MS };
});

// Draw the sources and the header's second line; ages are told anew each time.
export function drawHealth(view) {
  const now = programTime();
  const lost = isLost();
  document.body.classList.toggle("lost", lost && view !== null);
  if (view !== null && list !== null) {
    list.setAttribute("aria-label", say("sources"));
    sync(list, view.health, (source) => source.name, newSource, (li, source) =>
      drawSource(li.firstChild, source, now, lost),
    );
  }
  drawLine(view, lost, now);
}

function newSource(source) {
  const li = make("li");
  const opens = source.name === "camera" && picture !== null;
  const chip = make(opens ? "button" : "div", "source");
  if (opens) {
    chip.addEventListener("click", openPicture);
  }
  const state = make("span", "state", make("span", "word"), " ", make("span", "age"));
  chip.append(make("span", "dot"), make("span", "label"), state);
  li.append(chip);
  return li;
}

const ageOf = (source, now) => Math.max(0, now - source.last_t);

function statusOf(source, now) {
  if (WRITTEN.includes(source.name) || source.last_t === null) return source.status;
  if (source.status === "live") return ageOf(source, now) > OLD_S ? "stale" : "live";
  const isBrief = ["lost", "stale"].includes(source.status) && ageOf(source, now) < BRIEF_S;
  return isBrief ? "live" : source.status;
}

function drawSource(chip, source, now, lost) {
  const status = statusOf(source, now);
  const [, label, state] = chip.children;
  chip.className = `source ${source.name} ${lost ? "unknown" : status}`;
  text(label, pick(source.label));
  const word = status === source.status ? pick(source.word) : say(status);
  text(state.firstChild, lost ? say("not_known") : word);
  const never = WRITTEN.includes(source.name) ? "" : say("never");
  const since = source.last_t === null ? never : age(ageOf(source, now));
  text(state.lastChild, ["idle", "unread"].includes(status) ? "" : since);
  const counted = Object.entries(source.counters).map(([name, count]) => `${name}: ${count}`);
  const watching = source.name === "camera" && source.status !== "none" ? say("camera_on") : "";
  chip.title = [pick(source.said), watching, ...unseen(source, now), ...counted].filter(Boolean).join("\n");
}

// What of the table cannot be seen, each zone with how long.
const unseen = (source, now) =>
  source.zones.map((zone) => `${pick(zone.words)} (${age(Math.max(0, now - zone.since))})`);

// The second line of the header: the worst news first, else which hand this is.
function drawLine(view, lost, now) {
  let words = say("connecting");
  let isAlarm = false;
  let stopped;
  if (lost && view !== null) {
    words = say("lost", { age: age(silence()) });
    isAlarm = true;
  } else if (performance.now() < alarm.until) {
    words = alarm.sentence;
    isAlarm = true;
  } else if (view !== null) {
    const standing = view.health.filter((source) => statusOf(source, now) === source.status);
    const stops = standing.filter((source) => source.unrecorded);
    stopped = stops.find((source) => source.name === "log") ?? stops[0]; // not saved: the worst news
    const bad = standing.find((source) => source.message && source.status !== "none");
    const silent = view.health.find((source) => statusOf(source, now) === "stale" && source.status === "live");
    isAlarm = Boolean(stopped ?? bad ?? silent);
    const hidden = view.health.flatMap((source) => unseen(source, now));
    if (!isAlarm && hidden.length) {
      words = hidden.length > FEW ? say("many_unseen", { n: hidden.length }) : hidden.join(" ");
      isAlarm = true;
    } else if (stopped) words = pick(stopped.unrecorded);
    else if (bad) words = pick(bad.said);
    else if (silent) words = `${pick(silent.label)}: ${say("stale")}`;
    else words = say(view.hand ? "hand" : "no_hand", { rules: pick(view.rules.name), n: view.hand });
  }
  const keys = document.getElementById("keys");
  if (stopped?.status === "idle" && keys?.hidden === false) { // a dealer's tap goes on with it
    text(toKeys, words);
    if (toKeys.parentNode !== line) line.replaceChildren(toKeys);
  } else text(line, words);
  line.title = words;
  line.classList.toggle("alarm", isAlarm);
  line.classList.toggle("stopped", Boolean(stopped));
  if (view !== null) drawPicture(view.health, stopped?.name === "camera");
}

// --- the camera's picture

const picture = document.getElementById("picture");
let showing = 0;
let wasStopped = false;

function openPicture() {
  picture.open = true;
  picture.scrollIntoView({ block: "nearest" });
}

// It comes by itself where nothing is recorded: it shows why.
function drawPicture(health, isStopped) {
  if (picture === null) return;
  picture.hidden = health.every(({ name, status }) => name !== "camera" || status === "none");
  if (isStopped && !wasStopped) picture.open = true;
  wasStopped = isStopped;
}

function refresh() {
  if (picture.open) picture.querySelector("img").src = `/api/picture.jpg?at=${Date.now()}`;
}

if (picture !== null) {
  picture.addEventListener("toggle", () => {
    clearTimeout(showing);
    refresh();
  });
  for (const [name, works] of [["load", true], ["error", false]]) {
    picture.querySelector("img").addEventListener(name, ({ target }) => {
      target.hidden = !works;
      picture.querySelector(".empty").hidden = works;
      clearTimeout(showing);
      showing = setTimeout(refresh, works ? PICTURE_MS : NO_PICTURE_MS);
    });
  }
}
