// The hall's clock: shown to everybody, started and stopped at the desk.

import { make, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";
import { Countdown, minutes } from "./time.js";

const LOOK_MS = 3000;
const clock = new Countdown();
let names = new Map(); // of tables
let tell = async () => null;

function words(seconds) {
  if (seconds < 0) return say("clock_over", { time: minutes(seconds) });
  return clock.said.running ? minutes(seconds) : say("clock_stands", { time: minutes(seconds) });
}

export function drawClock() {
  const place = byId("clock");
  if (clock.said === null) return;
  const { is_set, running, left_s, extra_s } = clock.said;
  const left = clock.left(left_s);
  place.hidden = !is_set && place.dataset.always === undefined;
  text(place.firstElementChild, is_set ? words(left) : say("clock_none"));
  place.classList.toggle("over", is_set && left < 0);
  const extra = Object.entries(extra_s);
  sync(place.lastElementChild, extra, ([table]) => table, () => make("li"), (item, [table, seconds]) =>
    text(item, say("clock_more", { table: names.get(table) ?? table, time: words(left + seconds), n: seconds / 60 })));
  const run = byId("clock-run");
  if (run === null) return;
  run.hidden = !is_set;
  text(run, say(running ? "clock_pause" : "clock_resume"));
}

export function nameTables(tables) {
  names = new Map(tables.map((table) => [String(table.id), table.name]));
}

export function followClock(telling) {
  if (telling) {
    tell = telling;
    byId("clock-run")?.addEventListener("click", () => tell("clock/run", { running: !clock.said.running }));
  }
  again(LOOK_MS, async () => {
    clock.take(await ask("/api/clock"));
    drawClock();
  });
  setInterval(drawClock, 500);
}
