// What a hand of thirteen tiles waits for: only on the phone whose hand it is.

import { post } from "./ask.js";
import { make, pick, points, say, sync, text, tile, setTile } from "./draw.js";
import { pieces, sizeOf } from "./photo_hand.js";

const WAITING = 13;
const section = document.getElementById("waits");
let asking = 0;

export async function drawWaits(page, body) {
  asking += 1;
  const turn = asking;
  const isWhole = sizeOf(page.hand) === WAITING && pieces(page.hand).every((piece) => piece.tile !== "?");
  section.hidden = !isWhole;
  if (!isWhole) return;
  const { told } = page;
  const answer = await post("/api/waits", { hand: { ...body(), winning_tile: null, discarder: null }, dealer: told.dealer ?? 0, indicator: told.indicator });
  if (turn !== asking) return;
  const [title, list, why] = section.children;
  const waits = answer.waits ?? [];
  text(title, waits.length ? say("worth_waits", { n: waits.length }) : say("worth_no_waits"));
  sync(list, waits, (wait) => wait.tile, newWait, drawWait);
  sync(why, answer.error ? [] : answer.refusals, (_, at) => at, () => make("li"), (li, words) => text(li, pick(words)));
  if (answer.error) why.replaceChildren(make("li", "", answer.error));
}

function newWait(wait) {
  return make("li", "", tile(wait.tile), make("div", "", make("b"), make("span"), make("small")));
}

function drawWait(li, wait) {
  setTile(li.firstChild, wait.tile);
  const [drawn, claimed, unseen] = li.lastChild.children;
  text(drawn, wait.drawn === null ? say("worth_not_drawn") : say("worth_drawn", { n: points(wait.drawn) }));
  text(claimed, wait.claimed === null ? say("worth_not_claimed") : say("worth_claimed", { n: wait.claimed.map(points).join("–") }));
  text(unseen, say("worth_unseen", { n: wait.unseen }));
}
