// Accepting what is shown: by itself after a while, at once by a tap, or not at all.

import { press } from "./ask.js";
import { pick, pressable, say, sync, text } from "./draw.js";
import { programTime } from "./live.js";

const bar = document.getElementById("settle");
const until = bar?.querySelector(".until");
const ways = bar?.querySelector(".ways");

const mayAccept = ["scorer", "referee", "admin"].includes(document.body.dataset.view);

if (bar !== null) {
  bar.querySelector(".accept").addEventListener("click", () => press("/api/settle", { seen }));
  bar.querySelector(".wrong").addEventListener("click", () => {
    ways.hidden = !ways.hidden;
  });
}

let seen = ""; // what the page shows, by its name

export function drawSettle(view) {
  if (bar === null) return;
  seen = view.acceptance?.seen ?? "";
  const { settlement } = view;
  const waits = settlement !== null && !settlement.final && view.act === "settle";
  bar.hidden = !waits;
  for (const button of bar.querySelectorAll("button")) button.hidden = !mayAccept;
  if (!waits) ways.hidden = true;
  offerWays(view);
  tickSettle(view);
}

// The seconds that are left, told once a second.
export function tickSettle(view) {
  if (bar === null || bar.hidden) return;
  if (view.settles_at === null) {
    return text(until, view.acceptance === null ? say("waits_for_you") : pick(view.acceptance.words));
  }
  const left = Math.max(0, Math.ceil(view.settles_at - programTime()));
  return text(until, say("accepted_in", { n: left }));
}

// What can be wrong with a hand that is shown, and the way to put each right.
function offerWays(view) {
  const shown = view.verdicts.filter((verdict) => verdict.entry !== null);
  const lines = shown.map((verdict) => ({ key: verdict.entry, who: pick(verdict.who) }));
  sync(ways, lines, (line) => line.key, (line) => pressable("quiet", () => press("/api/undo", { seq: line.key })),
    (button, line) => text(button, say("read_again", { who: line.who })));
}
