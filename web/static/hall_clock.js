// The hall's clock: shown to everybody, started and stopped at the desk.

import { make, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";

const LOOK_MS = 3000;
let clock = null;
let asked = 0; // when the hub said so, by this page's own clock
let names = new Map(); // of tables
let tell = async () => null;

const left = () => clock.left_s - (clock.running ? (performance.now() - asked) / 1000 : 0);

function minutes(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function words(seconds) {
  if (seconds < 0) return say("clock_over", { time: minutes(seconds) });
  return clock.running ? minutes(seconds) : say("clock_stands", { time: minutes(seconds) });
}

export function drawClock() {
  const place = byId("clock");
  if (clock === null) return;
  place.hidden = !clock.is_set && place.dataset.always === undefined;
  text(place.firstElementChild, clock.is_set ? words(left()) : say("clock_none"));
  place.classList.toggle("over", clock.is_set && left() < 0);
  const extra = Object.entries(clock.extra_s);
  sync(place.lastElementChild, extra, ([table]) => table, () => make("li"), (item, [table, seconds]) =>
    text(item, say("clock_more", { table: names.get(table) ?? table, time: words(left() + seconds), n: seconds / 60 })));
  const run = byId("clock-run");
  if (run === null) return;
  run.hidden = !clock.is_set;
  text(run, say(clock.running ? "clock_pause" : "clock_resume"));
}

export function nameTables(tables) {
  names = new Map(tables.map((table) => [String(table.id), table.name]));
}

export function followClock(telling) {
  if (telling) {
    tell = telling;
    byId("clock-run")?.addEventListener("click", () => tell("clock/run", { running: !clock.running }));
  }
  again(LOOK_MS, async () => {
    [clock, asked] = [await ask("/api/clock"), performance.now()];
    drawClock();
  });
  setInterval(drawClock, 500);
}
