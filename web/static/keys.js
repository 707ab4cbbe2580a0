// The board's keys on the page, for tables without a board: start a hand, declare a win, end it.

import { press } from "./ask.js";
import { pick, pressable, say, sync, text } from "./draw.js";
import { now } from "./time.js";

const ARMED_MS = 5000;
const RUNNING = ["playing", "showing"];

const panel = document.getElementById("keys");
const [words, seats, end] = panel?.querySelectorAll(".words, .seats, .end") ?? [];

let path = "/api/start";
let armed = 0; // until when a second tap ends the hand

end?.addEventListener("click", () => {
  if (now() < armed) {
    armed = 0;
    press("/api/end", {});
  } else {
    armed = now() + ARMED_MS;
  }
  label();
});

const label = () => text(end, say(now() < armed ? "end_sure" : "end_hand"));

export function drawKeys(view) {
  if (panel === null) return;
  const board = view.health.find((source) => source.name === "board");
  panel.hidden = board?.status === "live";
  if (panel.hidden) return;
  const isRunning = RUNNING.includes(view.phase);
  path = isRunning ? "/api/win" : "/api/start";
  // Once a win is shown, nobody is asked for it; another one is photographed.
  const isAsked = !(view.unfollowed && view.verdicts.length > 0 && isRunning);
  words.hidden = seats.hidden = !isAsked;
  text(words, say(isRunning ? "who_wins" : "who_deals"));
  // Who presses to deal presses nothing any more where the hand begins under the finger.
  sync(seats, view.seats, (_, seat) => `${path} ${seat}`, newKey, (button, seat) => text(button, pick(seat.who)));
  end.hidden = !isRunning;
  if (!isRunning) armed = 0;
  label();
}

function newKey(_, seat) {
  const where = path;
  return pressable("", () => press(where, { seat }));
}
