// The hall's television: tables in turn, the clock, the last great hand. A hand that ends is a scene
// for a while; the great one is again when somebody taps its line.

import { make, pick, say, signed, sync, text } from "./draw.js";
import { drawClock, followClock, nameTables } from "./hall_clock.js";
import { drawResults, whereOf } from "./hall_result.js";
import { endScene, hear, onScene, show } from "./hall_scenes.js";
import { byName, followHall, isStale } from "./hall_live.js";
import { again, ask, byId, drawLaid, drawPicture } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const TURN_MS = 12_000;
const RESULTS_MS = 5_000;
const NEW_S = 120; // what was won longer ago is no news when the page opens
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
  const lines = Math.max(1, Math.ceil(each / columns));
  wall.style.setProperty("--columns", Math.max(1, Math.ceil(each / lines))); // lines are even, too
  sync(wall, shown.slice(page * each, (page + 1) * each), (table) => table.id, newCard, drawCard);
  text(byId("page"), pages > 1 ? `${page + 1} / ${pages}` : "");
  drawGreat();
  drawResults(onScene(great), great, shown);
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
  const name = make("p", "name", make("bdi"), make("span"));
  const seats = make("ol");
  for (let seat = 0; seat < 4; seat += 1) {
    const row = make("li", "", make("bdi", "who"), make("b", "num"));
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
  text(head.children[3], whereOf(great));
  drawLaid(laid, great);
  text(worth, great.worth.map(pick).join(" "));
  drawPicture(seen, great, great.name);
}

byId("great").querySelector(".again").addEventListener("click", () => {
  show([great]);
  draw();
});
for (const id of ["result", "results"]) {
  byId(id).addEventListener("click", () => {
    endScene();
    draw();
  });
}
followSwitches(() => { draw(); drawClock(); });
followHall(draw);
followClock();
again(RESULTS_MS, async () => {
  const found = await ask("/api/results");
  great = found.great;
  const isNews = great !== null && Date.now() / 1000 - great.t < NEW_S;
  hear(found.hands, isNews ? [great] : []);
  draw();
});
setInterval(draw, 1000);
setInterval(() => { page += 1; draw(); }, TURN_MS);
addEventListener("resize", draw);
