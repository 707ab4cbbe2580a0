// The hall live: every table as it stands, and the standings, as they come.

import { isolated, make, options, pick, say, signed, sync, text } from "./draw.js";
import { followClock, nameTables } from "./hall_clock.js";
import { byName, followHall, isStale } from "./hall_live.js";
import { drawForeign } from "./hall_foreign.js";
import { drawPlan, followPlan } from "./hall_plan.js";
import { again, ask, byId, drawRows, player, tableName } from "./hall_table.js";
import { get } from "./net.js";
import { followSwitches } from "./switches.js";

const STANDING_MS = 3000;
const NOTHING = { players: [], foreign: [], behind: [] };
let { players: places, foreign, behind } = NOTHING; // and hands that were played by other rules
let changed = true; // a table has changed since the standings were asked for

function draw() {
  const isLost = isStale();
  text(byId("told"), isLost ? say("hall_lost") : "");
  byId("told").classList.toggle("alarm", isLost);
  const shown = byName();
  byId("none").hidden = shown.length > 0;
  sync(byId("tables"), shown, (table) => table.id, newTable, drawTable);
  drawForeign(byId("foreign"), foreign, behind);
  byId("standing").hidden = places.length === 0;
  byId("held").hidden = places.length > 0;
  drawRows(byId("standing"), places, (row) => row.player, (row, index) =>
    [index + 1, player(row), signed(row.points), row.hands, row.wins]);
}

function newTable() {
  return make("li", "", make("p", "name", make("bdi"), make("span")), make("p", "headline"), make("dl"));
}

function drawTable(card, { name, view }) {
  text(card.children[0].children[0], tableName(name));
  text(card.children[0].children[1], view.hand ? say("hall_hand", { n: view.hand }) : "");
  if (view.behind > 0) text(card.children[0].children[1], say("hall_coming", { n: view.behind }));
  text(card.children[1], view.headline ? pick(view.headline) : "");
  card.classList.toggle("called", Boolean(view.call));
  const seats = (view.names ?? []).map((who, seat) => [who, view.scores[seat]]);
  card.children[2].replaceChildren(
    ...seats.flatMap(([who, points]) => [make("dt", "", isolated(who)), make("dd", "", signed(points))]),
  );
}

const rank = again(STANDING_MS, async () => {
  if (!changed) return;
  const { sessions } = await ask("/api/sessions");
  changed = false;
  const chosen = byId("session");
  chosen.hidden = sessions.length < 2;
  options(chosen, sessions.map((each) => [each.id, each.name]));
  const id = chosen.value || sessions[0]?.id;
  const ranked = id ? await get(`/api/standings/${id}`) : NOTHING;
  if (ranked !== null) ({ players: places, foreign, behind } = ranked);
  changed ||= ranked === null; // it is tried again
  draw();
});

byId("session").addEventListener("change", () => { changed = true; rank(); });
followSwitches(() => { draw(); drawPlan(); });
followHall(() => { nameTables(byName()); changed = true; draw(); });
followClock();
followPlan();
