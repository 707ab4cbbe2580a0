// What has just happened, in a sentence: for screen readers on every page, and for the caller's voice.

import { isolated, pick, signed, text } from "./draw.js";

const aloud = document.getElementById("aloud");
let last = null; // the newest entry that was said

// The sentences that are news in this view; what was so when the page was opened is none.
export function news(view) {
  const newest = Math.max(0, ...view.events.map(({ seq }) => seq));
  const before = last;
  last = newest;
  if (before === null) return "";
  const fresh = view.events.filter(({ seq, called }) => seq > before && called).reverse();
  const said = fresh.map((event) => pick(event.text));
  if (fresh.some(({ type }) => type === "Settled")) said.push(paid(view));
  if (said.length && aloud !== null) text(aloud, said.join(" "));
  return said.join(" ");
}

const paid = ({ seats }) => seats.filter(({ change }) => change).map((seat) => `${isolated(pick(seat.who))} ${signed(seat.change)}`).join(", ");
