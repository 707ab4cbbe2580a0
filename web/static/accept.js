// The own word on what is shown: given by a tap, or by having looked; and taken back.

import { send } from "./ask.js";
import { say, text } from "./draw.js";

const SEEN_MS = 8000; // what was in view for so long, and was not objected to, was seen

const panel = document.getElementById("mine");
const [accept, withdraw] = panel?.querySelectorAll(".accept, .withdraw") ?? [];
const own = Number(document.body.dataset.own);

let seen = ""; // the settlement that the page shows
let since = 0; // since when it is in view
let isLooking = false; // the house counts what was looked at
let isSent = ""; // which was told as seen by itself

if (panel !== null) setInterval(tellSeen, 1000);
accept?.addEventListener("click", () => press("/api/accept", { seat: own, seen }));
withdraw?.addEventListener("click", () => press("/api/withdraw", { seat: own }));

export function drawAccept(view) {
  const waits = view.acceptance;
  const isOpen = waits !== null && !waits.done && view.settles_at === null;
  const isDone = waits !== null && waits.accepted.includes(own);
  const isWanted = isOpen && waits.seats.includes(own) && !isDone;
  if (isOpen && waits.seen !== seen) since = performance.now();
  seen = isOpen ? waits.seen : "";
  accept.hidden = !isWanted;
  withdraw.hidden = !(isDone || (waits !== null && waits.drawn));
  const moved = view.settlement?.transfers[own] ?? 0;
  const key = moved < 0 ? "accept_pay" : moved > 0 ? "accept_get" : "accept_it";
  text(accept, say(key, { n: Math.abs(moved) }));
  text(withdraw, say(waits?.drawn ? "not_drawn" : "withdraw"));
  isLooking = isWanted && waits.by === "seen";
}

// A page that lies in a pocket has not been looked at.
function tellSeen() {
  if (!isLooking) return;
  if (document.visibilityState !== "visible") since = performance.now();
  if (isSent === seen || performance.now() - since < SEEN_MS) return;
  isSent = seen;
  press("/api/accept", { seat: own, seen });
}

async function press(path, command) {
  const problem = panel.querySelector(".problem");
  const refused = await send(path, command);
  if (refused !== null) isSent = "";
  text(problem, refused ?? "");
  problem.classList.toggle("alarm", refused !== null);
}
