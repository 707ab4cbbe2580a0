// Tapping a hand tile by tile: all faces lie open, each tap adds one.

import { make, sync, tile } from "./draw.js";
import { ROWS } from "./photo_faces.js";

const pad = document.getElementById("pad");

// add: takes a face; place: where they lie.
export function openPad(add, place = pad) {
  place.hidden = false;
  sync(place, ROWS, (_, at) => at, () => make("div"), (row, names) => sync(row, names, (name) => name, (name) => {
    const button = make("button", "face");
    button.type = "button";
    button.append(tile(name));
    button.addEventListener("click", () => add(name));
    return button;
  }));
}
