// A phone on a shelf or hanging from a lamp: it opens its camera, stays awake, and sends.

import { begin } from "./camera_aim.js";
import { Eye } from "./camera_eye.js";
import { Sender } from "./camera_send.js";
import { isTrue } from "./canvas.js";
import { make, options, pick, say, sync, text } from "./draw.js";
import { local, session } from "./store.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 500;
const TOLD_MS = 6000;
const LOW = 20; // percent of the battery
const SLOW = 2.5;
const LENS = "camera_lens";
const SIZE = "camera_size";
const RELOADED = "camera_reloaded";
const RELOAD_MS = 15000;
const STRAINED = ["serious", "critical"];
const STRAIN_MS = 60000;

const find = (selector) => document.querySelector(selector);
const watch = find("#watch");

let sender = null;
let eye = null;
let state = "starting";
let why = "";
let kept = { sentence: "", until: 0 };
let isAwake = null; // whether the browser keeps the screen on; null: not asked yet
let lock = null;
let battery = null;
let pressure = "";
let strainedAt = null; // since when its processor has been under much pressure
let opening = false;

followSwitches(draw);
if (watch) prepare();

function prepare() {
  if (!navigator.mediaDevices?.getUserMedia) {
    find("#insecure").hidden = false;
    find("#begin").hidden = true;
    return;
  }
  eye = new Eye(find("#view video"), find("#sent"));
  sender = new Sender(eye, hear);
  sender.told = told;
  eye.ended = reopen;
  find("#begin button").addEventListener("click", start);
  find("#lens").addEventListener("change", (event) => choose(LENS, event.target.value));
  find("#size").addEventListener("change", (event) => choose(SIZE, event.target.value));
  find("#torch").addEventListener("click", torch);
  find("#dark").addEventListener("click", () => (find("#night").hidden = false));
  find("#night").addEventListener("click", () => (find("#night").hidden = true));
  find("#tasks .place").addEventListener("click", () => aim("table"));
  find("#tasks .tiles").addEventListener("click", () => aim("tiles"));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && sender.state) reopen(false);
  });
  find("#size").value = local.get(SIZE) ?? "1080";
  // Who has begun here before need not tap again, after a call or a reload.
  if (local.get(LENS) !== null) start();
}

async function start() {
  find("#begin").hidden = true;
  watch.hidden = false;
  draw();
  if (!(await isTrue())) {
    state = "noise";
    return draw();
  }
  if (!(await open())) return undefined;
  stayAwake();
  watchBattery();
  watchPressure();
  setInterval(draw, LOOK_MS);
  return sender.go();
}

async function open() {
  opening = true;
  try {
    const lens = local.get(LENS) ?? "";
    try {
      await eye.open(lens, Number(find("#size").value));
    } catch (error) {
      if (!lens || error.name === "NotAllowedError") throw error;
      await eye.open("", Number(find("#size").value)); // that lens is not there any more
    }
    local.set(LENS, eye.track.getSettings().deviceId ?? "");
    await listLenses();
    find("#torch").hidden = !eye.hasTorch;
    state = "starting";
    return true;
  } catch (error) {
    local.drop(LENS);
    find("#begin").hidden = false;
    text(find("#begin button span"), say("camera_again"));
    find("#begin button span").dataset.say = "camera_again";
    state = error.name === "NotFoundError" ? "none" : "denied";
    draw();
    return false;
  } finally {
    opening = false;
  }
}

// The camera was taken away, or may have been: a call, another app, the screen that went dark.
async function reopen(isGone = true) {
  stayAwake();
  if (opening || (!isGone && eye.track?.readyState === "live" && !eye.isFrozen)) return;
  while (!(await open())) await new Promise((done) => setTimeout(done, 2000));
  find("#begin").hidden = true;
}

async function choose(key, value) {
  local.set(key, value);
  await open();
}

async function listLenses() {
  const lenses = await eye.lenses();
  options(find("#lens"), lenses.map((lens, index) => [lens.deviceId, lens.label || say("camera_lens_n", { n: index + 1 })]));
  find("#lens").value = eye.track.getSettings().deviceId ?? "";
}

async function torch() {
  const button = find("#torch");
  const on = button.getAttribute("aria-pressed") !== "true";
  await eye.torch(on).then(() => button.setAttribute("aria-pressed", on), () => {});
}

function aim(what) {
  find("#tasks").hidden = true;
  if (what === "table") eye.keepUpright();
  begin(what, (sentence) => {
    find("#tasks").hidden = false;
    kept = { sentence, until: performance.now() + TOLD_MS };
    draw();
  });
}

// -- what the phone tells of itself ---------------------------------------------------------------

function told() {
  const slowed = eye.slowed;
  return {
    ...(battery && { battery: Math.round(battery.level * 100), charging: battery.charging }),
    ...(pressure && { pressure }),
    ...(slowed !== null && { slowed: Math.round(slowed * 10) / 10 }),
  };
}

async function stayAwake() {
  try {
    if (lock === null || lock.released) lock = await navigator.wakeLock.request("screen");
    isAwake = true;
  } catch {
    isAwake = false;
  }
}

async function watchBattery() {
  battery = (await navigator.getBattery?.().catch(() => null)) ?? null;
}

async function watchPressure() {
  if (!globalThis.PressureObserver) return;
  const observer = new PressureObserver((records) => {
    const now = records.at(-1).state;
    const isStrained = STRAINED.includes(now);
    strainedAt = isStrained ? (strainedAt ?? performance.now()) : null;
    // A moment's work is not heat.
    pressure = isStrained && performance.now() - strainedAt < STRAIN_MS ? "fair" : now;
  });
  await observer.observe("cpu", { sampleInterval: 5000 }).catch(() => {});
}

// -- what the page tells --------------------------------------------------------------------------

function hear(became, error = null) {
  state = became;
  why = error ? pick(error) : "";
  if (became === "out") reloadOnce();
}

// It was let out, or the program speaks another language now: the page as it is then says which.
function reloadOnce() {
  const last = Number(session.get(RELOADED) ?? 0);
  if (Date.now() - last < RELOAD_MS) return;
  session.set(RELOADED, Date.now());
  location.reload();
}

function sentence() {
  switch (state) {
    case "sending": return say("camera_sending", { n: Math.round(sender.perSecond) });
    case "refused":
    case "out": return say("camera_full", { why });
    default: return say(`camera_${state}`);
  }
}

function draw() {
  if (!watch || !sender) return;
  const isKept = performance.now() < kept.until && kept.sentence !== "";
  text(find("#state"), isKept ? kept.sentence : sentence());
  find("#state").classList.toggle("alarm", !["sending", "waiting", "starting"].includes(state));
  const { width, height } = find("#sent");
  const parts = [say("camera_figures", { sent: sender.sent, lost: sender.lost, width, height })];
  if (battery) parts.push(say(battery.charging ? "camera_charging" : "camera_battery", { n: Math.round(battery.level * 100) }));
  text(find("#figures"), sender.sent ? parts.join(", ") : "");
  const placed = sender.state?.placed;
  const place = find("#tasks .place span");
  place.dataset.say = placed ? "camera_aim_again" : "camera_aim";
  text(place, say(place.dataset.say));
  find("#tasks .place").classList.toggle("quiet", Boolean(placed));
  find("#tasks .tiles").hidden = !sender.state?.tiles;
  sync(find("#remarks"), remarks(placed), (key) => key, () => make("li"), (li, key) => text(li, say(key, { n: eye.slowed?.toFixed(1) ?? "" })));
}

function remarks(placed) {
  const found = [];
  if (sender.state && !placed) found.push("camera_unplaced");
  if (battery && !battery.charging && battery.level * 100 <= LOW) found.push("camera_plug");
  if (STRAINED.includes(pressure)) found.push("camera_hot");
  else if (eye.slowed !== null && eye.slowed >= SLOW) found.push("camera_slow");
  if (isAwake === false) found.push("camera_unlocked");
  return found;
}
