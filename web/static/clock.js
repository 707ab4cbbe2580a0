// The table's own clock: the evening, the round, the turn; in colour, in words, and by the caller's voice.

import { press } from "./ask.js";
import { pick, say, sync, make, text } from "./draw.js";
import { insist } from "./net.js";
import { Countdown, minutes, whenWoken } from "./time.js";

const TICK_MS = 500;
const SHORT_S = 60;
const TOLD_S = [300, 60, 0]; // said aloud when so much is left
const panel = document.getElementById("clock");
const form = panel.querySelector("form");
const pause = form?.querySelector(".pause");
const own = document.body.dataset.own === undefined ? null : Number(document.body.dataset.own);
const clock = new Countdown();
let seq = null; // of the view for which it was asked
let call = () => {};
// What somebody is typing, or has typed before this was there, is not filled in over.
let isTyped = [...(form?.querySelectorAll("input") ?? [])].some((each) => each.value !== "");
let before = new Map(); // what was left of each time when it was drawn last

if (form !== null) form.querySelector("[type=submit]").disabled = false;
form?.addEventListener("input", () => { isTyped = true; });
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const seconds = (name) => Math.round(60 * Number(form.elements[name].value || 0));
  set({ evening_s: seconds("evening"), round_s: seconds("round"), think_s: Number(form.elements.think.value || 0), running: true });
});
pause?.addEventListener("click", () => {
  const { evening_s, round_s, think_s, running } = clock.said;
  set({ evening_s, round_s, think_s, running: !running });
});
setInterval(draw, TICK_MS);
whenWoken(() => seq !== null && look(seq));

async function set(time) {
  if (await press("/api/clock", time)) [panel.querySelector("details").open, isTyped] = [false, false];
}

export function drawClock(view, caller) {
  if (caller) call = caller;
  const details = panel.querySelector("details");
  if (details) details.hidden = own !== null && !view.unfollowed; // elsewhere it is the scorer's
  if (view.seq !== seq) look(view.seq);
  draw();
}

async function look(wanted) {
  seq = wanted;
  const said = await insist("/api/clock", () => seq === wanted);
  if (said === null || seq !== wanted) return;
  const was = clock.said;
  clock.take(said);
  if (form !== null && !isTyped && ["evening_s", "round_s", "think_s"].some((key) => was?.[key] !== said[key])) fill();
  draw();
}

function fill() {
  const { evening_s, round_s, think_s } = clock.said;
  form.elements.evening.value = evening_s / 60 || "";
  form.elements.round.value = round_s / 60 || "";
  form.elements.think.value = think_s || "";
}

function draw() {
  if (clock.said === null) return;
  const { evening_left_s, round_left_s, turn, is_set, running } = clock.said;
  const lines = [
    ["evening", say("clock_evening"), evening_left_s],
    ["round", say("clock_round"), round_left_s],
    [`turn ${turn?.seat}`, turn && say("clock_turn", { who: pick(turn.who) }), turn?.left_s ?? null],
  ].filter(([, , left]) => left !== null).map(([key, label, left]) => ({ key, label, left: clock.left(left) }));
  panel.hidden = lines.length === 0 && (form === null || panel.querySelector("details").hidden);
  sync(panel.querySelector("ul"), lines, ({ key }) => key, newLine, drawLine);
  text(panel.querySelector(".stands"), is_set && !running ? say("clock_stands") : "");
  if (pause) {
    pause.hidden = !is_set;
    text(pause, say(running ? "clock_stop" : "clock_go"));
  }
  tell(lines);
}

function newLine() {
  return make("li", "", make("span"), make("b", "num"));
}

function drawLine(li, { label, left }) {
  text(li.firstChild, left < 0 ? `${label} · ${say("clock_over")}` : label);
  text(li.lastChild, (left < 0 ? "−" : "") + minutes(left));
  li.classList.toggle("short", left >= 0 && left <= SHORT_S);
  li.classList.toggle("over", left < 0);
}

// Once as each mark is passed; a turn only when it is over.
function tell(lines) {
  const now = new Map(lines.map(({ key, left }) => [key, left]));
  for (const { key, label, left } of lines) {
    const was = before.get(key);
    const marks = key.startsWith("turn") ? [0] : TOLD_S;
    const passed = marks.find((mark) => was > mark && left <= mark);
    if (passed !== undefined) call(`${label}: ${passed ? say("clock_left", { n: passed / 60 }) : say("clock_over")}`);
  }
  before = now;
}
