// What a picture cannot show, asked one after the other: what is likeliest first, one tap each.

import { choices } from "./choices.js";
import { make, pick, pressable, say, sync, text, tile } from "./draw.js";
import { chooseFace, isFace, plainRows } from "./photo_faces.js";
import { isWhole, pieces, sizeOf } from "./photo_hand.js";
import { cropOf } from "./photo_take.js";

const LIKELIEST = 4;
const WAITING = 13;
const SEATS = [0, 1, 2, 3];

// set: does a change, and draws anew.
export function drawAsks(page, set) {
  const section = document.querySelector("#asks");
  const items = asksOf(page);
  section.hidden = items.length === 0;
  sync(section, items, (item) => item.key, newAsk, (element, item) => ASK[item.kind](element, item, page, set));
}

function newAsk() {
  return make("div", "ask", make("h2"), make("div", "choices"));
}

function asksOf(page) {
  const unread = pieces(page.hand).find((piece) => piece.tile === "?");
  if (unread) return [{ key: "unread", kind: "unread", piece: unread }];
  const items = page.mode === "win" && (mayRush(page) || isWhole(page.hand, page.mode)) ? [{ key: "came", kind: "came" }] : [];
  if (!isWhole(page.hand, page.mode)) return items;
  if (page.deal.asked) items.push({ key: "dealer", kind: "dealer" });
  if (page.deal.stakes && page.told.dealer !== null) items.push({ key: "stakes", kind: "stakes" });
  const special = page.asked.asks.filter((each) => each.kind === "circumstance");
  if (special.length) items.push({ key: "special", kind: "special", special });
  for (const each of page.asked.asks) {
    if (each.kind !== "circumstance") items.push({ key: `${each.kind} ${each.name}`, kind: each.kind, each });
  }
  return items;
}

// A hand that the treasure alone completes lies there with a tile too few.
export const mayRush = ({ mode, hand, table }) => mode === "win" && table.rules.rush && sizeOf(hand) === WAITING;

const ASK = {
  unread({ children: [title, row] }, { piece }, page, set) {
    const why = piece.why ? ` (${pick(piece.why)})` : "";
    text(title, say("photo_which_tile") + why);
    const likely = piece.candidates.filter(isFace).slice(0, LIKELIEST);
    const crop = cropOf(page, piece);
    row.replaceChildren(...(crop ? [crop] : []), ...likely.map((face) => faceButton(face, () => set(() => { piece.tile = face; }))));
    row.append(pressable("other", () => chooseFace({
      tile: null, candidates: [], choose: (face) => set(() => { piece.tile = face; }),
    }), say("photo_other_tile")));
  },
  came({ children: [title, row] }, _, page, set) {
    text(title, say("photo_came"));
    if (mayRush(page)) {
      return choices(row, [null], {
        label: () => say("photo_rush"),
        chosen: () => Boolean(page.hand.rush),
        choose: () => set(() => {
          page.hand.rush = true;
          page.told.discarder = null;
          page.special = new Set(["treasure_rush", "ready_declared"]);
        }),
      });
    }
    return choices(row, [null, ...SEATS.filter((seat) => seat !== page.told.seat)], {
      label: (seat) => (seat === null ? say("photo_drew") : say("photo_from", { who: page.nameOf(seat) })),
      chosen: (seat) => page.told.discarder === seat,
      choose: (seat) => set(() => {
        page.told.discarder = seat;
        page.special.clear();
      }),
    });
  },
  dealer({ children: [title, row] }, _, page, set) {
    text(title, say("photo_dealer"));
    choices(row, page.deal.seats, {
      label: page.nameOf,
      chosen: (seat) => page.told.dealer === seat,
      choose: (seat) => set(() => {
        page.told.dealer = seat;
        if (page.told.antes) page.told.antes.challenges[seat] = 0;
      }),
    });
  },
  stakes({ children: [title, row] }, _, page, set) {
    const { told } = page;
    const antes = told.antes ?? { double_down: false, challenges: [0, 0, 0, 0] };
    text(title, say("photo_stakes"));
    choices(row, ["double", ...SEATS.filter((seat) => seat !== told.dealer)], {
      label: (item) => (item === "double" ? say("photo_doubles", { who: page.nameOf(told.dealer) }) : `${page.nameOf(item)}: ${antes.challenges[item]}`),
      chosen: (item) => (item === "double" ? antes.double_down : antes.challenges[item] > 0),
      choose: (item) => set(() => {
        told.antes = antes;
        if (item === "double") antes.double_down = !antes.double_down;
        else antes.challenges[item] = (antes.challenges[item] + 1) % (page.deal.stakes + 1);
      }),
    });
  },
  special({ children: [title, row] }, { special }, page, set) {
    text(title, say("photo_special"));
    choices(row, special, {
      key: (each) => each.name,
      label: (each) => pick(each.words),
      chosen: (each) => page.special.has(each.name),
      choose: (each) => set(() => (page.special.has(each.name) ? page.special.delete(each.name) : page.special.add(each.name))),
    });
  },
  indicator({ children: [title, row] }, { each }, page, set) {
    text(title, pick(each.words));
    const now = page.told.indicator;
    const turn = (face) => set(() => Object.assign(page.told, { indicator: face, noneTurned: face === null }));
    const open = () => chooseFace({ tile: now, candidates: [], choose: turn });
    row.classList.toggle("pad", now === null);
    if (now !== null) return sync(row, [now], (face) => face, (face) => faceButton(face, open));
    const lines = [...plainRows(), ...(each.optional ? ["none"] : [])];
    return sync(row, lines, (line, at) => (line === "none" ? line : `row ${at}`), (names) =>
      make("div", "", ...(names === "none" ? [pressable("", () => turn(null), say("photo_none_turned"))] : names.map((face) => faceButton(face, () => turn(face))))),
    (line, names) => names === "none" && line.firstChild.setAttribute("aria-pressed", String(page.told.noneTurned)));
  },
  egg: (element, item, page, set) => numbered(element, item, page.told.eggs, item.each.name, set),
  undoes: (element, item, page, set) => numbered(element, item, page.told.undoes, item.each.name, set),
  giver: (element, item, page, set) => numbered(element, item, page.told.givers, item.each.name, set),
  wall_left: (element, item, page, set) => numbered(element, item, page.told.numbers, item.kind, set),
  discard_round: (element, item, page, set) => numbered(element, item, page.told.numbers, item.kind, set),
};

function numbered({ children: [title, row] }, { each }, said, name, set) {
  text(title, pick(each.words));
  choices(row, each.choices, {
    key: (choice) => choice.value,
    label: (choice) => pick(choice.words),
    chosen: (choice) => said[name] === choice.value,
    choose: (choice) => set(() => { said[name] = choice.value; }),
  });
}

function faceButton(face, choose) {
  const button = pressable("face", choose, tile(face));
  button.dataset.face = face;
  return button;
}

