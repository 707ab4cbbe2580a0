// What a hand comes to, with its arithmetic.

import { make, pick, points, say, setChange, sync, text } from "./draw.js";

const line = () => make("li");

export function drawWorth(section, worth, nameOf, isOpen) {
  const isNone = worth !== null && !worth.valid && !isOpen;
  section.classList.toggle("no", isNone);
  const [title, patterns, refusals, moves, sums, birds] = section.children;
  text(title, isOpen ? say("photo_answer_first") : titleOf(worth));
  const rows = worth?.valid ? worth.patterns : [];
  sync(patterns, rows, (_, at) => at, newRow, (li, row) => {
    text(li.firstChild, pick(row.name));
    text(li.lastChild, row.value === "" ? "" : points(row.value));
  });
  const why = worth === null || isOpen ? [] : [...(worth.problem ? [worth.problem] : []), ...(worth.refusals ?? [])];
  sync(refusals, why, (_, at) => at, line, (li, words) => text(li, pick(words)));
  sync(moves, worth?.transfers ?? [], (_, seat) => seat, () => make("li", "", make("span"), make("b")), (li, moved, seat) => {
    text(li.firstChild, nameOf(seat));
    setChange(li.lastChild, moved);
  });
  sums.hidden = !worth?.valid || worth.steps.length === 0;
  text(sums.firstElementChild, say("sums"));
  sync(sums.lastElementChild, worth?.steps ?? [], (_, at) => at, line, (li, words) => text(li, pick(words)));
  const cost = isNone && worth.false_win ? say("photo_false_win", { cost: pick(worth.false_win) }) : "";
  text(birds, worth?.birds && worth.valid ? say("photo_birds_follow") : cost);
}

function titleOf(worth) {
  if (worth === null) return "";
  return worth.valid ? say("photo_comes_to", { n: points(worth.total) }) : say("photo_no_win");
}

function newRow() {
  return make("li", "", make("span"), make("b", "num"));
}
