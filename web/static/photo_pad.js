// Tapping a hand tile by tile: all faces lie open, each tap adds one, or a whole meld.

import { choices } from "./choices.js";
import { make, pressable, say, sync, tile } from "./draw.js";
import { BONUS, ROWS } from "./photo_faces.js";
import { newTile } from "./photo_hand.js";

const pad = document.getElementById("pad");
const SETS = ["chow", "pung", "kong_exposed"];
const RUN = [0, 1, 2];

// add: takes a face; place: where they lie.
export function openPad(add, place = pad) {
  place.hidden = false;
  sync(place, ROWS, (_, at) => at, () => make("div"),
    (row, names) => sync(row, names, (name) => name, (name) => pressable("face", () => add(name), tile(name))));
}

// hand: what is added to; hasMelds: whether a tap may add one; change: something was added.
export function openKeyboard(hand, hasMelds, change) {
  const place = pad.querySelector(".rows") ?? pad.appendChild(make("div", "rows"));
  const sets = pad.querySelector(".sets") ?? make("div", "sets choices");
  pad.hidden = false;
  pad.prepend(sets);
  let next = null; // the kind of meld that the next tap adds
  const begun = () => hand.melds.find((meld) => meld.tiles.length === 0); // a kong that is told alone
  const tilesNow = (face) => tilesOf(begun() ? "kong_exposed" : next, face);
  const draw = () => {
    choices(sets, hasMelds ? SETS : [], {
      label: (kind) => say(`photo_set_${kind}`),
      chosen: (kind) => next === kind,
      choose: (kind) => {
        next = next === kind ? null : kind;
        draw();
      },
    });
    for (const button of place.querySelectorAll(".face")) button.disabled = tilesNow(button.dataset.key) === null;
  };
  openPad((face) => {
    const pieces = tilesNow(face)?.map(newTile);
    if (!pieces) return; // the tap was quicker than the button
    if (begun()) begun().tiles.push(...pieces);
    else if (next) hand.melds.push({ kind: next, tiles: pieces, side: null });
    else (BONUS.test(face) ? hand.bonus : hand.concealed).push(newTile(face));
    next = null;
    draw();
    change();
  }, place);
  draw();
}

// The faces of a set; a chow begins with the face. Null where there is none.
function tilesOf(kind, face) {
  if (kind === "chow") return /^[1-7][mps]$/.test(face) ? RUN.map((each) => `${Number(face[0]) + each}${face[1]}`) : null;
  if (kind !== null && BONUS.test(face)) return null;
  return Array.from({ length: { pung: 3, kong_exposed: 4 }[kind] ?? 1 }, () => face);
}
