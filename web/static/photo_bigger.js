// The nearest bigger hand: for who wants to know, on this phone alone.

import { post } from "./ask.js";
import { make, pick, points, say, text, tile } from "./draw.js";
import { pieces, sizeOf } from "./photo_hand.js";

const WAITING = 13;
const section = document.getElementById("bigger");
const [line, words] = section.children;
let asking = 0;

export async function drawBigger(page, body) {
  asking += 1;
  const turn = asking;
  const { told } = page;
  const isRead = pieces(page.hand).every((piece) => piece.tile !== "?");
  const isWaiting = sizeOf(page.hand) === WAITING;
  section.hidden = true;
  if (!isRead || !(isWaiting || told.discarder !== undefined)) return;
  const hand = isWaiting ? { ...body(), winning_tile: null, discarder: null } : body();
  const { bigger } = await post("/api/bigger", { hand, dealer: told.dealer ?? 0, indicator: told.indicator });
  if (turn !== asking || !bigger) return;
  section.hidden = false;
  line.replaceChildren(...bigger.out.map((name) => tile(name)), make("span", "", "→"), ...bigger.instead.map((name) => tile(name)));
  text(words, say("worth_bigger", { n: points(bigger.points), what: bigger.patterns.map(pick).join(say("comma")) }));
}
