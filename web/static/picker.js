// A face to choose: to correct a tile, or to tell the treasure.

import { make, say, sync, text, tile } from "./draw.js";

const dialog = document.getElementById("picker");
const ROWS = [
  ..."mps".split("").map((suit) => Array.from({ length: 9 }, (_, index) => `${index + 1}${suit}`)),
  ["E", "S", "W", "N", "C", "F", "P"],
];

let asked = null; // what is being asked, see `pickTile`
let chosen = null;

// Ask for a face.
//   title, button: the words; from: the face on record;
//   preview: face -> lines of text, told before it is accepted; accept: face -> refusal or null.
export function pickTile(question) {
  asked = question;
  chosen = null;
  text(document.getElementById("picker-title"), question.title);
  text(dialog.querySelector(".accept"), question.button);
  draw();
  tell([]);
  dialog.showModal();
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
  const button = make("button", "face");
  button.type = "button";
  button.append(tile(name));
  button.addEventListener("click", () => choose(name));
  return button;
}

async function choose(name) {
  chosen = name;
  draw();
  tell([say("asking")]);
  const { lines, refused } = await asked.preview(name);
  if (chosen !== name) return;
  tell(lines);
  dialog.querySelector(".accept").disabled = refused || name === asked.from;
}

function tell(lines) {
  sync(dialog.querySelector(".changes"), lines, (_, index) => index, () => make("p"), text);
}

async function accept() {
  const refused = await asked.accept(chosen);
  if (refused === null) dialog.close();
  else tell([refused]);
}

if (dialog !== null) {
  dialog.querySelector(".accept").addEventListener("click", accept);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
}
