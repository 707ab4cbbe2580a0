// Accepting what is shown: by itself after a while, at once by a tap, or not at all.

import { send } from "./ask.js";
import { say, text } from "./draw.js";
import { complain } from "./health.js";
import { programTime } from "./live.js";

const bar = document.getElementById("settle");
const until = bar?.querySelector(".until");

const mayAccept = ["scorer", "referee", "admin"].includes(document.body.dataset.view);

if (bar !== null) {
  bar.querySelector(".accept").addEventListener("click", () => press("/api/settle", {}));
  bar.querySelector(".wrong").addEventListener("click", hold);
}

export function drawSettle(view) {
  if (bar === null) return;
  const { settlement } = view;
  const waits = settlement !== null && !settlement.final && view.act === "settle";
  bar.hidden = !waits;
  for (const button of bar.querySelectorAll("button")) button.hidden = !mayAccept;
  bar.querySelector(".wrong").hidden = !mayAccept || view.settles_at === null;
  tickSettle(view);
}

// The seconds that are left, told once a second.
export function tickSettle(view) {
  if (bar === null || bar.hidden) return;
  if (view.settles_at === null) return text(until, say("waits_for_you"));
  const left = Math.max(0, Math.ceil(view.settles_at - programTime()));
  return text(until, say("accepted_in", { n: left }));
}

async function press(path, command) {
  const refused = await send(path, command);
  if (refused !== null) complain(refused);
}

// The last hand's declaration is the place to begin: what it rests on is listed below it.
function hold() {
  press("/api/hold", {});
  document.getElementById("events")?.querySelector("button.undo:not([hidden])")?.focus();
}
