// Correcting a tile: which face it was, what that would change, then once more to accept it.

import { send, token } from "./ask.js";
import { make, pick, say, signed, sync, text, tile } from "./draw.js";

const dialog = document.getElementById("picker");
const ROWS = [
  ..."mps".split("").map((suit) => Array.from({ length: 9 }, (_, index) => `${index + 1}${suit}`)),
  ["E", "S", "W", "N", "C", "F", "P"],
];

let correction = null; // { seq, make: face -> event, from: the face on record }
let chosen = null;

// Ask for a face. `event` makes what the entry should have been from the face.
export function correctTile(seq, from, event) {
  correction = { seq, from, event };
  chosen = null;
  text(document.getElementById("picker-title"), say("which_tile"));
  draw();
  changes([]);
  dialog.showModal();
}

function draw() {
  sync(dialog.querySelector(".rows-of"), ROWS, (_, index) => index, () => make("div", "suit"), (row, names) =>
    sync(row, names, (name) => name, newFace, (button, name) =>
      button.setAttribute("aria-pressed", String(name === (chosen ?? correction.from))),
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
  changes([say("asking")]);
  const body = { seq: correction.seq, event: correction.event(name) };
  const change = await ask("/api/preview", { command: "correct", body });
  if (chosen !== name) return;
  if (change.error) return changes([change.error]);
  const { scores_before: before, scores_after: after } = change;
  const moved = after.map((score, seat) => score - before[seat]);
  const lines = change.sentences.map(pick);
  if (lines.length === 0) lines.push(say(moved.some(Boolean) ? "points_move" : "points_stay"));
  if (moved.some(Boolean)) lines.push(moved.map(signed).join("  "));
  changes(lines);
  dialog.querySelector(".accept").disabled = name === correction.from;
}

function changes(lines) {
  sync(dialog.querySelector(".changes"), lines, (_, index) => index, () => make("p"), text);
}

async function ask(path, body) {
  try {
    const reply = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Table-Token": token },
      body: JSON.stringify(body),
    });
    return await reply.json();
  } catch {
    return { error: say("not_sent") };
  }
}

async function accept() {
  const refused = await send("/api/correct", {
    seq: correction.seq, event: correction.event(chosen),
  });
  if (refused === null) dialog.close();
  else changes([refused]);
}

if (dialog !== null) {
  dialog.querySelector(".accept").addEventListener("click", accept);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
}
