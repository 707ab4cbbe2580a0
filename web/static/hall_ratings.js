// Everybody's rating.

import { again, ask, byId, drawRows, player } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 15_000;
let players = [];

function draw() {
  byId("held").hidden = players.length > 0;
  byId("rated").hidden = players.length === 0;
  drawRows(byId("rated"), players, (row) => row.player, (row, index) => [index + 1, player(row), row.rating.toFixed(2), row.games]);
}

followSwitches(draw);
draw();
again(LOOK_MS, async () => {
  ({ players } = await ask("/api/ratings"));
  draw();
});
