// Hands that ended as a scene. One alone: the hand, what it is made of, who pays whom, the standing;
// several side by side: who won what with which hand, and who pays.

import { isolated, make, pick, say, signed, sync, text } from "./draw.js";
import { nameOf } from "./hall_scenes.js";
import { byId, drawLaid, moved } from "./hall_table.js";

const alone = byId("result");
const together = byId("results");

export function whereOf(hand) {
  const how = hand.self_drawn ? say("player_drawn") : hand.giver ? say("player_given", { name: hand.giver }) : "";
  return [say("player_hand", { table: hand.table, n: hand.hand }), how].filter(Boolean).join(" · ");
}

// hands: none takes the scene away; tables: as they stand now.
export function drawResults(hands, great, tables) {
  alone.hidden = hands.length !== 1;
  together.hidden = hands.length < 2;
  if (!alone.hidden) drawAlone(hands[0], great !== null && nameOf(hands[0]) === nameOf(great), tables);
  if (!together.hidden) drawTogether(hands);
}

function drawAlone(hand, isGreat, tables) {
  const [head, laid, made, paid] = alone.children;
  drawHead(head, hand, isGreat);
  drawLaid(laid, hand);
  laid.hidden = !hand.winning; // nobody won, or the tiles are not known
  const worth = hand.worth ?? [];
  made.hidden = worth.length === 0;
  sync(made.lastElementChild, worth, (_, at) => at, () => make("li"), (row, words) => text(row, pick(words)));
  const people = hand.moved.map((each, person) => ({ ...each, isFirst: person === hand.winner }));
  drawPeople(paid.children[1], people.sort((one, other) => other.points - one.points), moved);
  const view = tables.find((table) => table.name === hand.table)?.view;
  const now = (view?.scores ?? []).map((points, seat) => ({ name: view.names?.[seat] ?? "", points }));
  paid.lastElementChild.hidden = now.length === 0;
  drawPeople(paid.lastElementChild.lastElementChild, now.sort((one, other) => other.points - one.points), signed);
  fit(alone);
}

function drawHead(head, hand, isGreat) {
  const [title, where] = head.children;
  text(title.children[0], hand.winner === null ? say("wall_nobody") : hand.name);
  text(title.children[1], hand.winner === null ? "" : signed(hand.points));
  text(where, [isGreat ? say("wall_great") : "", whereOf(hand)].filter(Boolean).join(" · "));
}

function drawTogether(hands) {
  together.style.setProperty("--columns", hands.length > 3 ? 2 : 1);
  sync(together.lastElementChild, hands, nameOf, newResult, (row, hand) => {
    const [head, laid, paid] = row.children;
    drawHead(head, hand, false);
    drawLaid(laid, hand);
    laid.hidden = !hand.winning;
    const payers = hand.moved.filter((each) => each.points < 0);
    text(paid, payers.map((each) => `${isolated(each.name)} ${signed(each.points)}`).join(" · "));
  });
  fit(together);
}

function newResult() {
  const head = make("header", "", make("h3", "", make("bdi"), make("b", "num")), make("p", "where"));
  return make("li", "", head, make("div", "laid"), make("p", "payers"));
}

function drawPeople(list, people, said) {
  sync(list, people, (_, at) => at, () => make("li", "", make("bdi"), make("b", "num")), (row, { name, points, isFirst }) => {
    text(row.children[0], name);
    text(row.children[1], said(points));
    row.classList.toggle("first", isFirst === true);
  });
}

// As large as the screen lets it, and nothing is cut off.
function fit(scene) {
  let scale = 1;
  do {
    scene.style.setProperty("--scale", scale.toFixed(2));
    scale -= 0.05;
  } while (scale > 0.3 && (scene.scrollHeight > scene.clientHeight || scene.scrollWidth > scene.clientWidth));
}
