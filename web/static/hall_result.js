// A great hand as a scene of its own: the hand, what it is made of, who pays whom, the standing.

import { make, pick, say, setTile, signed, sync, text, tile } from "./draw.js";
import { byId, moved } from "./hall_table.js";

const scene = byId("result");

export function whereOf(hand) {
  const how = hand.self_drawn ? say("player_drawn") : hand.giver ? say("player_given", { name: hand.giver }) : "";
  return [say("player_hand", { table: hand.table, n: hand.hand }), how].filter(Boolean).join(" · ");
}

export function drawLaid(place, hand) {
  const groups = [...hand.melds, hand.tiles, [hand.winning]];
  sync(place, groups, (_, at) => at, () => make("div"), (group, tiles, at) => {
    group.classList.toggle("winning", at === groups.length - 1);
    sync(group, tiles, (_, index) => index, (face) => tile(face), setTile);
  });
}

// hand: null takes the scene away; tables: as they stand now.
export function drawResult(hand, tables) {
  scene.hidden = hand === null;
  if (hand === null) return;
  const [title, where, laid, made, paid] = scene.children;
  text(title.children[0], hand.name);
  text(title.children[1], signed(hand.points));
  text(where, whereOf(hand));
  drawLaid(laid, hand);
  made.hidden = hand.worth.length === 0;
  sync(made.lastElementChild, hand.worth, (_, at) => at, () => make("li"), (row, words) => text(row, pick(words)));
  const people = hand.moved.map((each, person) => ({ ...each, isFirst: person === hand.winner }));
  drawPeople(paid.children[1], people.sort((one, other) => other.points - one.points), moved);
  const view = tables.find((table) => table.name === hand.table)?.view;
  const now = (view?.scores ?? []).map((points, seat) => ({ name: view.names?.[seat] ?? "", points }));
  paid.lastElementChild.hidden = now.length === 0;
  drawPeople(paid.lastElementChild.lastElementChild, now.sort((one, other) => other.points - one.points), signed);
  fit();
}

function drawPeople(list, people, said) {
  sync(list, people, (_, at) => at, () => {
    const row = make("li");
    row.append(make("span"), make("b", "num"));
    return row;
  }, (row, { name, points, isFirst }) => {
    text(row.children[0], name);
    text(row.children[1], said(points));
    row.classList.toggle("first", isFirst === true);
  });
}

// As large as the screen lets it, and nothing is cut off.
function fit() {
  let scale = 1;
  do {
    scene.style.setProperty("--scale", scale.toFixed(2));
    scale -= 0.05;
  } while (scale > 0.3 && (scene.scrollHeight > scene.clientHeight || scene.scrollWidth > scene.clientWidth));
}
