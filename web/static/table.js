// The page: draws each view that the stream brings, with the parts that this page has.

import { drawQuestion } from "./ask.js";
import { news } from "./caller.js";
import { drawColours } from "./colours.js";
import { followCorrections } from "./correct.js";
import { bringFaces } from "./draw.js";
import { drawFelt } from "./felt.js";
import { drawHealth } from "./health.js";
import { later } from "./later.js";
import { follow } from "./live.js";
import { drawNow } from "./now.js";
import { fetched } from "./part.js";
import { drawHistory, drawScores } from "./scores.js";
import { followSeals } from "./seals.js";
import { drawSettle, tickSettle } from "./settle.js";
import { followSwitches } from "./switches.js";
import { within } from "./time.js";
import { drawWin } from "./win.js";

const TICK_MS = 250;
const FACES_MS = 5000; // a face that is slower is its name until it comes

// A part that a page does not have is not fetched for it.
const part = (id, file) => (document.getElementById(id) ? fetched(file) : null);
const [mine, keys, phones, club, events] = await Promise.all([
  part("mine", "./mine.js"), part("keys", "./keys.js"), part("waiting", "./phones.js"),
  part("club", "./club_line.js"), part("events", "./events.js"),
]);
const BETWEEN_HANDS = ["choose_dealer", "place_antes"];
let between = null; // what is said between two hands is fetched when it is first needed

let view = null; // the last whole view; its health is replaced between

const tick = () => {
  drawHealth(view);
  if (view === null) return;
  keys?.drawKeys(view);
  tickSettle(view);
};

function draw(first = false) {
  if (view === null) return;
  document.body.classList.remove("connecting");
  document.body.classList.toggle("unfollowed", view.unfollowed);
  document.body.classList.toggle("settled", view.phase === "settled");
  document.body.classList.toggle("playing", view.phase === "playing");
  document.body.classList.toggle("running", ["playing", "showing"].includes(view.phase));
  drawNow(view);
  followCorrections(view);
  drawFelt(view);
  drawScores(view);
  drawBetween();
  drawWin(view, first);
  drawSettle(view);
  events?.drawEvents(view);
  drawHistory(view);
  followSeals(view);
  mine?.drawMine(view);
  phones?.drawPhones(view);
  const said = news(view);
  const { signals, clock, eyes, learn } = later(view, draw);
  signals?.followSignals(view, said);
  drawColours(view);
  clock?.drawClock(view, signals?.call);
  eyes?.draw();
  learn?.drawLesson(view);
  drawQuestion(view);
  club?.drawClub();
  tick();
}

async function drawBetween() {
  if (between === null) {
    const isNeeded = view.game.may_begin || view.new_seats || BETWEEN_HANDS.includes(view.act);
    if (!isNeeded || document.getElementById("before") === null) return;
    between = Promise.all([fetched("./before.js"), fetched("./game.js")]);
  }
  const [before, game] = await between;
  before.drawBefore(view);
  game.drawGame(view);
}

followSwitches(() => {
  draw();
  tick();
});
await within(FACES_MS, bringFaces());
follow({
  onView(newest) {
    const first = view === null;
    view = newest;
    draw(first);
  },
  onHealth(newest) {
    if (view !== null) Object.assign(view, newest);
    tick();
    if (view !== null) mine?.drawMine(view); // a camera that sees nothing is news
  },
  onTime: tick,
  onWaiting: (waiting) => phones?.drawWaiting(waiting),
});
setInterval(tick, TICK_MS);
// Only where browsers allow it: on the table's own machine, or over https.
if (isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});
