// Correcting a tile by a tap: discards, melds and shown hands, for those who may.

import { post, send } from "./ask.js";
import { say } from "./draw.js";
import { correctable } from "./felt.js";
import { fetched } from "./part.js";

const MAY = ["referee", "admin"];
const canPick = document.getElementById("picker") !== null;

// Let those who may correct tap tiles; called with every view.
export function followCorrections(view) {
  correctable(canPick && MAY.includes(view.you?.role) ? correctTile : null);
}

// Ask what a tile of an entry should have been, and show what that changes.
//   event: face -> what the entry should say; from: the face on record
async function correctTile(seq, from, event) {
  const { pickTile } = await fetched("./picker.js"); // most people who look never correct
  const body = (name) => ({ seq, event: event(name) });
  pickTile({
    title: say("which_tile"),
    button: say("correct"),
    from,
    preview: (name) => preview("correct", body(name)),
    accept: (name) => send("/api/correct", body(name)),
  });
}

async function preview(command, body) {
  const { linesOf } = await fetched("./change.js");
  const change = await post("/api/preview", { command, body });
  return { lines: linesOf(change), refused: Boolean(change.error) };
}
