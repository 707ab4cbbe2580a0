// Which tiles a tap corrects, for those who may: discards in the rivers, and the hands shown.

import { correctable } from "./felt.js";
import { correctTile } from "./picker.js";

const MAY = ["referee", "admin"];

let view = null;

export function followCorrections(newest) {
  view = newest;
  const may = document.getElementById("picker") !== null && MAY.includes(view.you?.role);
  correctable(may ? ask : null);
}

function ask(entry, name) {
  const seat = view.seats.findIndex((each) => each.entries.includes(entry));
  if (seat >= 0) correctTile(entry, name, (tile) => ({ type: "Discarded", seat, tile }));
}
