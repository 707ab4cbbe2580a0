// Choosing a face with one tap, the likeliest ones first; and what else can be done with a tile.

import { make, pressable, say, sync, text, tile } from "./draw.js";

export const BONUS = /^\d[fq]$/;
const ALL = [
  ..."mps".split("").map((suit) => Array.from({ length: 9 }, (_, index) => `${index + 1}${suit}`)),
  ["E", "S", "W", "N", "C", "F", "P"],
  ["1f", "2f", "3f", "4f", "1q", "2q", "3q", "4q"],
];
// Of the set that is played with, see `keepFaces`; flowers and seasons stand last.
export let ROWS = ALL;
let kept = new Set(ALL.flat());

export const isFace = (name) => kept.has(name);
export const plainRows = () => ROWS.filter(([name]) => !BONUS.test(name));

export function keepFaces(names) {
  kept = new Set(names);
  ROWS = ALL.map((row) => row.filter(isFace)).filter((row) => row.length);
}

const dialog = document.getElementById("faces");

let asked = null;

// tile, candidates: the face now and the likeliest ones; choose: takes the face;
// won, move, remove: what else may be done, or nothing.
export function chooseFace(question) {
  asked = question;
  const draw = (row, names) => sync(row, names, (name) => name, newFace, (button, name) =>
    button.setAttribute("aria-pressed", String(name === asked.tile)));
  draw(dialog.querySelector(".likely"), question.candidates.filter(isFace).slice(0, 3));
  sync(dialog.querySelector(".rows"), ROWS, (_, index) => index, () => make("div"), draw);
  for (const what of ["won", "move", "remove"]) dialog.querySelector(`.${what}`).hidden = !question[what];
  if (question.moveSays) text(dialog.querySelector(".move span"), say(question.moveSays));
  dialog.showModal();
}

function newFace(name) {
  return pressable("face", () => finish(() => asked.choose(name)), tile(name));
}

function finish(act) {
  dialog.close();
  act();
}

for (const what of ["won", "move", "remove"]) {
  dialog.querySelector(`.${what}`).addEventListener("click", () => finish(asked[what]));
}
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
