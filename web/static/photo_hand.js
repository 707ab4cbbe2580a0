// The tiles of a hand as they are told: drawn in their groups, tapped, dragged from one to another.

import { chooseFace } from "./photo_faces.js";
import { make, pressable, say, setTile, sync, text, tile } from "./draw.js";

const KONGS = ["kong_exposed", "kong_concealed", "kong_added"];
const DRAG_PX = 8;
const HAND = 14;

export const nobody = () => ({ concealed: [], melds: [], bonus: [], winning: null, others: [] });
export const newTile = (name) => ({ tile: name, photo: "", box: [0, 0, 0, 0], candidates: [] });
export const sizeOf = (hand) => hand.concealed.length + 3 * hand.melds.length;
export const pieces = (hand) => [...hand.melds.flatMap((meld) => meld.tiles), ...hand.concealed, ...hand.bonus];

// What a group of tiles is; "" where it is no set.
function kindOf(tiles, kind) {
  const names = tiles.map((each) => each.tile);
  const same = new Set(names.filter((name) => name !== "#")).size <= 1;
  if (names.length === 4 && same) return KONGS.includes(kind) ? kind : "kong_exposed";
  if (names.length === 3 && same) return "pung";
  const suits = new Set(names.map((name) => name.slice(1)));
  const numbers = names.map((name) => Number(name[0])).sort((a, b) => a - b);
  const runs = names.length === 3 && suits.size === 1 && numbers.every((number, at) => number === numbers[0] + at);
  return runs ? "chow" : "";
}

// Whether nothing is left to name, and enough is there to be judged.
export function isWhole(hand, mode) {
  const all = pieces(hand);
  if (all.length === 0 || all.some((piece) => piece.tile === "?")) return false;
  if (mode === "kong") return hand.melds.every((meld) => meld.tiles.length > 0);
  if (mode === "laid" || hand.rush) return sizeOf(hand) === HAND - 1;
  if (mode === "dealt") return [HAND - 1, HAND].includes(hand.concealed.length);
  return hand.winning !== null && hand.winning < hand.concealed.length && sizeOf(hand) === HAND;
}

// As the table's record has it.
export function handOf(hand, seat, mode) {
  const names = (tiles) => tiles.map((each) => each.tile);
  const wins = mode === "win";
  return {
    seat,
    concealed: [...names(mode === "kong" ? [] : hand.concealed), ...(hand.rush ? ["?"] : [])],
    melds: hand.melds.map((meld) => {
      const tiles = names(meld.tiles);
      const face = tiles.find((name) => name !== "#");
      const kind = kindOf(meld.tiles, meld.kind) || (meld.kind === "lucky_egg" ? "lucky_egg" : "chow");
      return { type: "Meld", kind, tiles: tiles.map((name) => (name === "#" ? face : name)), supplements: [] };
    }),
    claimed_from: hand.melds.map((meld) => giverOf(meld, seat)),
    winning_tile: hand.rush ? "?" : wins && hand.winning !== null && hand.winning < hand.concealed.length ? hand.concealed[hand.winning].tile : null,
    bonus: names(hand.bonus),
  };
}

const SIDES = { right: 1, across: 2, left: 3 };
const giverOf = (meld, seat) => (meld.side && meld.kind !== "kong_concealed" ? (seat + SIDES[meld.side]) % 4 : null);

let current = null; // what is drawn, for the tiles' taps and drags

export function drawHand(hand, table, change, place = null) {
  current = { hand, change };
  if (place !== null) return drawGroup(place, hand.concealed, null, hand);
  const melds = document.querySelector(".melds");
  document.querySelector(".melded").hidden = hand.melds.length === 0;
  sync(melds, hand.melds, (_, at) => at, newMeld, (element, meld, at) => drawMeld(element, meld, at, table));
  drawGroup(document.querySelector("[data-group=hand]"), hand.concealed, hand.winning, hand);
  const flowers = document.querySelector(".flowers");
  flowers.hidden = hand.bonus.length === 0;
  return drawGroup(flowers.lastElementChild, hand.bonus, null, hand);
}

function newMeld() {
  return make("div", "meld", make("div", "tiles"), make("div", "kinds"), make("small"));
}

function drawMeld(element, meld, at, table) {
  const [row, kinds, name] = element.children;
  row.dataset.group = `meld ${at}`;
  drawGroup(row, meld.tiles, null, current.hand);
  const kind = kindOf(meld.tiles, meld.kind);
  const offered = kind.startsWith("kong") ? KONGS : table.rules.eggs ? ["lucky_egg"] : [];
  meld.kind = offered.includes(meld.kind) ? meld.kind : kind;
  sync(kinds, offered, (each) => each, (each) => {
    return pressable("", () => {
      current.hand.melds[at].kind = each;
      current.change();
    });
  }, (button, each) => {
    text(button, say(each));
    button.setAttribute("aria-pressed", String(meld.kind === each));
  });
  text(name, meld.kind ? say(meld.kind) : say("photo_no_set"));
}

function drawGroup(place, list, winning, hand) {
  sync(place, list, (_, at) => at, newPiece, (button, piece, at) => {
    setTile(button.firstChild, piece.tile);
    button.classList.toggle("won", at === winning);
    button.classList.toggle("unread", piece.tile === "?");
    Object.assign(button, { piece, list, hand });
  });
}

function newPiece() {
  const button = pressable("piece", () => !button.wasDragged && edit(button), tile("?"));
  button.addEventListener("pointerdown", (event) => drag(button, event));
  return button;
}

// --- one tile

function edit({ piece, list, hand }) {
  const { change } = current;
  const at = list.indexOf(piece);
  const isInHand = list === hand.concealed;
  if (isInHand && isWinnerAsked(hand)) {
    hand.winning = at;
    return change();
  }
  return chooseFace({
    tile: piece.tile,
    candidates: piece.candidates,
    choose: (face) => {
      piece.tile = face;
      change();
    },
    won: isInHand && hand.winning !== undefined ? () => {
      hand.winning = at;
      change();
    } : null,
    move: isInHand ? () => move(piece, list, null) : () => move(piece, list, hand.concealed),
    moveSays: isInHand ? "photo_new_meld" : "photo_to_hand",
    remove: () => {
      take(piece, list);
      change();
    },
  });
}

// All is read, and only which tile won is open: then a tap says that.
const isWinnerAsked = (hand) => hand.winning === null && sizeOf(hand) === HAND
  && pieces(hand).every((piece) => piece.tile !== "?");

// Take a tile out of its group; the winning one is remembered by where it lies.
function take(piece, list) {
  const { hand } = current;
  const at = list.indexOf(piece);
  list.splice(at, 1);
  if (list === hand.concealed && hand.winning !== null) {
    if (hand.winning === at) hand.winning = null;
    else if (hand.winning > at) hand.winning -= 1;
  }
  hand.melds = hand.melds.filter((meld) => meld.tiles.length > 0);
}

function move(piece, from, to) {
  const { hand, change } = current;
  if (to === from) return;
  if (to === null) hand.melds.push({ kind: "", tiles: [piece], side: null });
  else to.push(piece);
  take(piece, from);
  change();
}

// --- dragging

function drag(button, down) {
  let ghost = null;
  button.wasDragged = false;
  const onMove = (event) => {
    if (ghost === null) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < DRAG_PX) return;
      ghost = tile(button.piece.tile);
      ghost.id = "ghost";
      document.body.append(ghost);
      button.classList.add("dragged");
      button.wasDragged = true;
    }
    Object.assign(ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    mark(groupAt(event));
  };
  const onEnd = (event) => {
    button.removeEventListener("pointermove", onMove);
    button.removeEventListener("pointerup", onEnd);
    button.removeEventListener("pointercancel", onEnd);
    if (ghost === null) return;
    ghost.remove();
    button.classList.remove("dragged");
    mark(null);
    const group = event.type === "pointerup" ? groupAt(event) : null;
    if (group !== null) move(button.piece, button.list, listOf(group));
  };
  button.setPointerCapture(down.pointerId);
  button.addEventListener("pointermove", onMove);
  button.addEventListener("pointerup", onEnd);
  button.addEventListener("pointercancel", onEnd);
}

const groupAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-group]") ?? null;

function mark(group) {
  for (const each of document.querySelectorAll(".over")) if (each !== group) each.classList.remove("over");
  group?.classList.add("over");
}

function listOf(group) {
  const [name, at] = group.dataset.group.split(" ");
  const { hand } = current;
  if (name === "hand") return hand.concealed;
  return name === "bonus" ? hand.bonus : hand.melds[Number(at)].tiles;
}
