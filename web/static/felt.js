// The table as it is drawn: seats, rivers, melds, hands, the wall, the middle.

import { laidDownWith, meldWith, shownWith } from "./corrected.js";
import { die, make, pick, points, say, setChange, setTile, sync, text, tile, tiles } from "./draw.js";

const ROOM = 74; // width of a player's edge in hundredths of the table, in which a tile is 4.2 wide
const TILE = 4.2;

const live = document.getElementById("table");

let isLive = true; // the table that is drawn is the one that is played at, and no replay
let onTile = null; // what a tap on a tile does, where tiles may be corrected

// Let people tap tiles: `react` gets the entry's number and the tile as it is recorded.
export function correctable(react) {
  onTile = react;
}

export function drawFelt(view, table = live) {
  if (table === null) return;
  isLive = table === live;
  drawMiddle(table.querySelector(".centre"), view);
  for (const element of table.querySelectorAll(".seat")) {
    drawSeat(element, view.seats[element.dataset.seat], view);
  }
  for (const side of table.querySelectorAll(".wall")) drawWall(side, view.stacks);
}

function drawMiddle(middle, view) {
  text(middle.querySelector("strong"), view.wall === null ? "–" : String(view.wall));
  const dice = middle.querySelector(".dice");
  sync(dice, view.dice, (value, index) => `${index}.${value}`, die);
  dice.title = view.throw === null ? "" : pick(view.throw.for);
  for (const light of middle.querySelectorAll("i[data-seat]")) {
    light.classList.toggle("turn", view.seats[light.dataset.seat].turn);
  }
}

function drawSeat(element, seat, view) {
  const who = pick(seat.who);
  element.classList.toggle("turn", seat.turn);
  element.classList.toggle("is-dealer", seat.dealer);
  element.classList.toggle("is-ready", seat.ready);
  element.classList.toggle("is-dead", seat.dead);
  const told = [pick(seat.wind), who, seat.turn ? say("turn") : ""];
  element.setAttribute("aria-label", told.filter(Boolean).join(", "));
  const find = (name) => element.querySelector(name);
  text(find(".wind"), pick(seat.wind).slice(0, 1));
  find(".wind").title = pick(seat.wind);
  text(find(".name"), who);
  find(".name").title = who;
  setChange(find(".change"), seat.change);
  find(".change").hidden = seat.change === 0;
  text(find(".score"), points(seat.score));
  drawRiver(find(".river"), seat, who, view);
  const bonus = find(".bonus");
  bonus.setAttribute("aria-label", say("bonus", { who }));
  tiles(bonus, seat.bonus);
  drawMelds(find(".melds"), seat, who, view);
  drawHand(find(".hand"), seat, who, view);
  find(".row").style.setProperty("--fit", Math.min(1, ROOM / widthOf(seat)).toFixed(3));
}

// What lies at a player's edge, in the table's hundredths.
function widthOf(seat) {
  const hand = handOf(seat).length || Math.max(0, seat.holds);
  const melds = seat.melds.reduce((sum, meld) => {
    const across = meld.turned === null ? 0 : 1 / 3;
    const above = meld.kind === "kong_added" && meld.turned !== null ? 1 : 0;
    return sum + (meld.tiles.length - above + across) * TILE + 0.8;
  }, 0);
  return hand * (TILE + 0.12) + melds + 3;
}

function drawRiver(river, seat, who, view) {
  river.setAttribute("aria-label", say("river", { who }));
  tiles(river, seat.river);
  [...river.children].forEach((image, index) => {
    image.classList.toggle("last", seat.last && index === seat.river.length - 1);
    image.classList.toggle("wild", view.wilds.includes(seat.river[index]));
    const discard = (face) => ({ type: "Discarded", seat: Number(seat.number), tile: face });
    offerCorrection(image, seat.entries[index], seat.river[index], discard);
  });
}

// A tap on the tile asks what it was. `event`: face -> what its entry should have said.
function offerCorrection(image, seq, name, event) {
  const can = onTile !== null && seq !== undefined && isLive;
  const react = () => onTile(seq, name, event);
  image.classList.toggle("correctable", can);
  image.onclick = can ? react : null;
  image.onkeydown = can ? ({ key }) => ["Enter", " "].includes(key) && react() : null;
  for (const [attribute, value] of [["role", "button"], ["tabindex", "0"]]) {
    if (can) image.setAttribute(attribute, value);
    else image.removeAttribute(attribute);
  }
}

function drawMelds(element, seat, who, view) {
  element.setAttribute("aria-label", say("melds", { who }));
  sync(element, seat.melds, (_, index) => index, () => make("div", "meld"), (meld, each) => {
    meld.title = pick(each.name);
    tiles(meld, laidOut(each));
    [...meld.children].forEach((image, index) => {
      const isAdded = each.kind === "kong_added" && each.turned !== null && index === each.turned + 1;
      image.classList.toggle("across", index === each.turned || isAdded);
      image.classList.toggle("added", isAdded);
      image.classList.toggle("wild", view.wilds.includes(image.dataset.tile));
      const name = image.dataset.tile;
      const laid = name === "#" ? null : each.event;
      offerCorrection(image, laid?.seq, name, (face) => meldWith(laid.event, name, face));
    });
  });
}

// The tile added to a pung lies above the one that was claimed, so it comes right after it.
const laidOut = (meld) => meld.tiles;

function handOf(seat) {
  if (seat.shown !== null) return [...seat.shown, seat.winning];
  return seat.laid ?? [];
}

// The entry that says which tiles lie open there, if there is one to be corrected.
function entryOf(seat, view) {
  if (seat.shown === null) return seat.laid_entry;
  const verdict = view.verdicts.find((each) => each.seat === seat.number);
  return verdict?.event ? { seq: verdict.entry, event: verdict.event } : null;
}

function drawHand(element, seat, who, view) {
  const names = handOf(seat);
  if (names.length === 0) {
    element.setAttribute("aria-hidden", "true"); // only where the hand stands, not what it is
    const standing = Array.from({ length: Math.max(0, seat.holds) }, (_, index) => index);
    sync(element, standing, (index) => `s${index}`, () => make("i", "standing"), (edge, index) =>
      edge.classList.toggle("drawn", seat.drew && index === seat.holds - 1),
    );
    return;
  }
  element.removeAttribute("aria-hidden");
  element.setAttribute("aria-label", say("shown", { who }));
  sync(element, names, (_, index) => `t${index}`, (name) => tile(name), (image, name, index) => {
    setTile(image, name);
    image.classList.toggle("winning", seat.shown !== null && index === names.length - 1);
    image.classList.toggle("wild", view.wilds.includes(name));
    const entry = entryOf(seat, view);
    offerCorrection(image, entry?.seq, name, (face) => {
      if (seat.shown === null) return laidDownWith(entry.event, name, face);
      return shownWith(entry.event, name, face, index === names.length - 1);
    });
  });
}

// --- the wall

const HEIGHTS = ["", "one", "two", "three"];

function drawWall(side, stacks) {
  const seat = Number(side.dataset.seat);
  const heights = stacks === null ? [] : stacks.sides[seat];
  const at = (spot, index) => spot !== null && spot.seat === seat && spot.stack === index + 1;
  sync(side, heights, (_, index) => index, () => make("i", "stack"), (stack, height, index) => {
    const dead = stacks.dead.some((spot) => at(spot, index));
    const marks = [
      "stack", HEIGHTS[height], dead ? "dead" : "", at(stacks.next, index) ? "next" : "",
      at(stacks.break, index) ? "break" : "",
    ];
    const turned = stacks.turned.find((spot) => at(spot, index));
    if (turned) marks.push("indicator");
    const names = marks.filter(Boolean).join(" ");
    if (stack.className !== names) stack.className = names;
    const shown = turned && turned.tile !== "?" ? [turned.tile] : [];
    tiles(stack, shown);
  });
}
