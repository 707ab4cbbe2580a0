// The hall's television: tables in turn, the clock, the last great hand; nothing to tap.

import { make, pick, say, setTile, signed, sync, text, tile } from "./draw.js";
import { drawClock, followClock, nameTables } from "./hall_clock.js";
import { byName, followHall, isStale } from "./hall_live.js";
import { ask, byId, drawPicture } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const TURN_MS = 12_000;
const GREAT_MS = 5_000;
const wall = byId("wall");
const [CARD_WIDTH, CARD_HEIGHT] = [17, 6.8]; // the least, in letters' heights
let page = 0;
let great = null;

function draw() {
  const shown = byName();
  nameTables(shown);
  const stale = isStale();
  document.body.classList.toggle("stale", stale);
  byId("stale").hidden = !stale;
  byId("none").hidden = shown.length > 0;
  const { columns, rows } = room();
  const pages = Math.max(1, Math.ceil(shown.length / (columns * rows)));
  page %= pages;
  const each = Math.ceil(shown.length / pages); // pages are even
  wall.style.setProperty("--columns", Math.min(columns, Math.max(1, each)));
  sync(wall, shown.slice(page * each, (page + 1) * each), (table) => table.id, newCard, drawCard);
  text(byId("page"), pages > 1 ? `${page + 1} / ${pages}` : "");
  drawGreat();
}

function room() {
  const letter = parseFloat(getComputedStyle(wall).fontSize);
  return {
    columns: Math.max(1, Math.floor(wall.clientWidth / (CARD_WIDTH * letter))),
    rows: Math.max(1, Math.floor(wall.clientHeight / (CARD_HEIGHT * letter))),
  };
}

function newCard() {
  const card = make("li");
  const name = make("p", "name");
  name.append(make("b"), make("span"));
  const seats = make("ol");
  for (let seat = 0; seat < 4; seat += 1) {
    const row = make("li");
    row.append(make("span", "who"), make("b", "num"));
    seats.append(row);
  }
  card.append(name, seats);
  return card;
}

function drawCard(card, { name, view, quiet }) {
  const [head, seats] = card.children;
  text(head.children[0], name);
  text(head.children[1], quiet ? say("wall_quiet") : view.hand ? say("hall_hand", { n: view.hand }) : "");
  card.classList.toggle("quiet", quiet);
  const best = Math.max(...(view.scores ?? [0]));
  [...seats.children].forEach((row, seat) => {
    text(row.children[0], view.names?.[seat] ?? "");
    text(row.children[1], view.scores ? signed(view.scores[seat]) : "");
    row.classList.toggle("dealer", view.dealer === seat);
    row.classList.toggle("first", best !== 0 && view.scores?.[seat] === best);
  });
}

function drawGreat() {
  byId("great").hidden = great === null;
  if (great === null) return;
  const [head, laid, worth, seen] = byId("great").children;
  text(head.children[1], great.name);
  text(head.children[2], signed(great.points));
  text(head.children[3], `${say("player_hand", { table: great.table, n: great.hand })} · ${great.self_drawn ? say("player_drawn") : great.giver ? say("player_given", { name: great.giver }) : ""}`);
  const groups = [...great.melds, great.tiles, [great.winning]];
  sync(laid, groups, (_, at) => at, () => make("div"), (group, tiles, at) => {
    group.classList.toggle("winning", at === groups.length - 1);
    sync(group, tiles, (_, index) => index, (face) => tile(face), setTile);
  });
  text(worth, great.worth.map(pick).join(" "));
  drawPicture(seen, great, great.name);
}

async function lookForGreat() {
  try {
    const { hands } = await ask("/api/great");
    great = hands[0] ?? null;
  } catch {
    // what was shown stays; the line says that it is stale
  }
  draw();
}

followSwitches(() => { draw(); drawClock(); });
followHall(draw);
followClock();
lookForGreat();
setInterval(lookForGreat, GREAT_MS);
setInterval(draw, 1000);
setInterval(() => { page += 1; draw(); }, TURN_MS);
addEventListener("resize", draw);
