// One step of the trial at a time: said aloud, shown large, and what the person says of it.

import { currentLanguage, make, pick, pressable, say, text } from "./draw.js";
import { ask, comeBack, find, tell } from "./keeping.js";
import { followSwitches } from "./switches.js";

const EVERY_MS = 1500;
const SURE_MS = 4000;

let view = null;
let spoken = "";
let leaving = false; // the page is loaded anew: until then it speaks to a program that is gone
let turn = 0; // an answer that was asked for before another one came is older, and not shown

async function load() {
  if (leaving) return;
  const asked = turn;
  const found = await ask("/api/trial");
  if (found && asked === turn) show(found);
}

async function act(what, step = view.step) {
  turn += 1;
  const found = await ask("/api/trial/do", { what, step });
  turn += 1;
  if (found) show(found);
}

function show(found) {
  view = found;
  draw();
}

function draw() {
  if (!view) return;
  const off = view.mode === "off";
  find("#off").hidden = !off;
  const laying = !off && !view.over;
  find("#step").hidden = find("#buttons").hidden = !laying;
  find("#report").hidden = off || !view.over;
  if (off) return;
  text(find("#about"), view.acts.map(pick).join(" · "));
  if (laying) drawStep();
  else drawReport();
}

function drawStep() {
  text(find("#act"), pick(view.act));
  text(find("#count"), say("step", { step: view.step + 1, steps: view.steps, minutes: view.minutes }));
  find("#progress").value = view.step / view.steps;
  const said = pick(view.says);
  text(find("#says"), said);
  const names = view.tiles.join(" ");
  const tiles = find("#tiles");
  if (tiles.dataset.names !== names) {
    tiles.dataset.names = names;
    tiles.replaceChildren(...view.tiles.map(pictured));
  }
  find("#paused").hidden = !view.paused;
  find("#done").disabled = view.paused;
  text(find("#done"), say(view.taps ? "tap" : "done"));
  text(find("#pause"), say(view.paused ? "go_on" : "pause"));
  if (!view.paused) aloud(said);
}

function pictured(name) {
  const image = make("img");
  image.src = `${document.body.dataset.static}${name}.svg`;
  image.alt = "";
  return image;
}

// The browser's own speech: a step is said once, and again where the language is another one.
function aloud(said) {
  const key = `${view.step} ${currentLanguage()}`;
  if (!find("#speak").checked || spoken === key || !("speechSynthesis" in window)) return;
  spoken = key;
  speechSynthesis.cancel();
  const voice = new SpeechSynthesisUtterance(said);
  voice.lang = say("locale");
  speechSynthesis.speak(voice);
}

function drawReport() {
  const { report } = view;
  const fresh = find("#verdict").textContent === "";
  text(find("#verdict"), pick(report.verdict));
  find("#figures").replaceChildren(...figures(report).map((line) => make("li", "", line)));
  find("#amiss_title").hidden = !report.not_right.length;
  find("#amiss").replaceChildren(...report.not_right.map(amiss));
  text(find("#kept"), say("kept", { folder: view.folder }));
  if (fresh) find("#verdict").focus();
}

function figures(report) {
  const lines = [say("events", report.events)];
  if (report.seconds) lines.push(say("seconds", report.seconds));
  if (report.settlement) {
    const { truth, ledger } = report.settlement;
    lines.push(say("settled", {
      truth: truth.join(", "), ledger: ledger ? ledger.join(", ") : say("nothing"),
    }));
  }
  return lines;
}

function amiss(row) {
  const item = make("li", "", make("b", "", pick(row.said)));
  if (row.script) item.append(make("p", "", pick(row.script)));
  for (const each of row.recorded) item.append(make("p", "soft", `→ ${pick(each)}`));
  if (row.step !== null) item.append(pressable("quiet", () => act("admit", row.step), say("admit")));
  return item;
}

// What cannot be taken back wants a second tap.
function sure(button, key, then) {
  let armed = 0;
  button.addEventListener("click", () => {
    if (armed) {
      clearTimeout(armed);
      armed = 0;
      then();
      return;
    }
    text(button, say(`${key}_sure`));
    armed = setTimeout(() => { armed = 0; text(button, say(key)); }, SURE_MS);
  });
}

async function begin() {
  const acts = [...document.querySelectorAll("[name=act]:checked")].map((box) => box.value);
  if (!(await ask("/api/trial/begin", { acts }))) return;
  leaving = true;
  tell(say("beginning"));
  await comeBack("/trial");
}

async function leave() {
  if (!(await ask("/api/trial/leave", {}))) return;
  leaving = true;
  tell(say("beginning"));
  await comeBack("/");
}

find("#begin").addEventListener("click", begin);
find("#leave").addEventListener("click", leave);
find("#done").addEventListener("click", () => act("done"));
find("#pause").addEventListener("click", () => act(view.paused ? "go_on" : "pause"));
sure(find("#end"), "end", () => act("end"));
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => act(button.dataset.do));
}
followSwitches(draw);
await load();
setInterval(load, EVERY_MS);
