// The desk's parts: folded where there is little room, and open where somebody is waited for.

import { make, text } from "./draw.js";

const ROOM = matchMedia("(min-width: 760px)");
const parts = [...document.querySelectorAll(".desk > details")];
const waiting = new Map(parts.filter((part) => part.dataset.need).map((part) => [part, 0]));

export function followFolds() {
  for (const part of waiting.keys()) {
    const count = make("b", "num");
    count.hidden = true;
    part.querySelector("summary").append(count);
  }
  ROOM.addEventListener("change", fold);
  fold();
}

const fold = () => parts.forEach((part) => { part.open = ROOM.matches || waiting.get(part) > 0; });

// What comes new opens its part; who folds it again has seen it.
export function drawFolds(counts) {
  for (const [part, before] of waiting) {
    const count = counts[part.dataset.need];
    const badge = part.querySelector("summary b");
    badge.hidden = count === 0;
    text(badge, String(count));
    if (count > before) part.open = true;
    waiting.set(part, count);
  }
}
