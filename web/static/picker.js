// A face to choose: to correct a tile, or to tell the treasure.

import { make, pressable, say, sync, text, tile } from "./draw.js";

const dialog = document.getElementById("picker");
const ROWS = [
  ..."mps".split("").map((suit) => Array.from({ length: 9 }, (_, index) => `${index + 1}${suit}`)),
  ["E", "S", "W", "N", "C", "F", "P"],
];

let asked = null; // what is being asked, see `pickTile`
let chosen = null;
let turn = 0; // of questions and faces: an answer that comes after the next one counts no more

// Ask for a face.
//   title, button: the words; from: the face on record;
//   preview: face -> lines of text, told before it is accepted; accept: face -> refusal or null.
export function pickTile(question) {
  asked = question;
  chosen = null;
  turn += 1;
  text(document.getElementById("picker-title"), question.title);
  text(dialog.querySelector(".accept"), question.button);
  draw();
  tell([]);
  if (!dialog.open) dialog.showModal(); // a second tap, while this page was fetched
}

function draw() {
  sync(dialog.querySelector(".rows-of"), ROWS, (_, index) => index, () => make("div", "suit"), (row, names) =>
    sync(row, names, (name) => name, newFace, (button, name) =>
      button.setAttribute("aria-pressed", String(name === (chosen ?? asked.from))),
    ),
  );
  dialog.querySelector(".accept").disabled = true;
}

function newFace(name) {
  return pressable("face", () => choose(name), tile(name));
}

async function choose(name) {
  chosen = name;
  turn += 1;
  const mine = turn;
  draw();
  tell([say("asking")]);
  const { lines, refused } = await asked.preview(name);
  if (mine !== turn) return;
  tell(lines);
  dialog.querySelector(".accept").disabled = refused || name === asked.from;
}

function tell(lines) {
  sync(dialog.querySelector(".changes"), lines, (_, index) => index, () => make("p"), text);
}

async function accept() {
  turn += 1;
  const mine = turn;
  const button = dialog.querySelector(".accept");
  button.disabled = true; // once
  const refused = await asked.accept(chosen);
  if (mine !== turn) return;
  button.disabled = false;
  if (refused === null) dialog.close();
  else tell([refused]);
}

if (dialog !== null) {
  dialog.querySelector(".accept").addEventListener("click", accept);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
}
