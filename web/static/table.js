// The page: draws each view that the stream brings, with the parts that this page has.

import { drawQuestion } from "./ask.js";
import { drawEvents } from "./events.js";
import { drawBefore } from "./before.js";
import { followCorrections } from "./correct.js";
import { drawFelt } from "./felt.js";
import { drawGame } from "./game.js";
import { drawHealth } from "./health.js";
import { drawKeys } from "./keys.js";
import { follow } from "./live.js";
import { drawNow } from "./now.js";
import { drawPhones, drawWaiting } from "./phones.js";
import { drawHistory, drawScores } from "./scores.js";
import { followSeals } from "./seals.js";
import { drawSettle, tickSettle } from "./settle.js";
import { followSwitches } from "./switches.js";
import { drawWin } from "./win.js";

const TICK_MS = 250;

// A player's own panel is on that player's phone alone.
const mine = document.getElementById("mine") ? await import("./mine.js") : null;

let view = null; // the last whole view; its health is replaced between

const tick = () => {
  drawHealth(view);
  if (view === null) return;
  drawKeys(view);
  tickSettle(view);
};

function draw(first = false) {
  if (view === null) return;
  document.body.classList.remove("connecting");
  document.body.classList.toggle("settled", view.phase === "settled");
  document.body.classList.toggle("playing", view.phase === "playing");
  document.body.classList.toggle("running", ["playing", "showing"].includes(view.phase));
  drawNow(view);
  followCorrections(view);
  drawFelt(view);
  drawScores(view);
  drawBefore(view);
  drawGame(view);
  drawWin(view, first);
  drawSettle(view);
  drawEvents(view);
  drawHistory(view);
  followSeals(view);
  mine?.drawMine(view);
  drawPhones(view);
  drawQuestion(view);
  tick();
}

followSwitches(() => {
  draw();
  tick();
});
follow({
  onView(newest) {
    const first = view === null;
    view = newest;
    draw(first);
  },
  onHealth(newest) {
    if (view !== null) Object.assign(view, newest);
    tick();
  },
  onTime: tick,
  onWaiting: drawWaiting,
});
setInterval(tick, TICK_MS);
// Only where browsers allow it: on the table's own machine, or over https.
if (isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});
