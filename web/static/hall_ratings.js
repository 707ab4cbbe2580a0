// Everybody's rating.

import { ask, byId, drawRows, player } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 15_000;
let players = [];

function draw() {
  byId("held").hidden = players.length > 0;
  byId("rated").hidden = players.length === 0;
  drawRows(byId("rated"), players, (row) => row.player, (row, index) => [index + 1, player(row), row.rating.toFixed(2), row.games]);
}

async function look() {
  try {
    ({ players } = await ask("/api/ratings"));
  } catch {
    // what was shown stays
  }
  draw();
}

followSwitches(draw);
look();
setInterval(look, LOOK_MS);
