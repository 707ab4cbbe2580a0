// What stands beside standings: hands by other rules, and tables whose logs are on their way.

import { make, say, sync, text } from "./draw.js";

export function drawForeign(list, foreign, behind = []) {
  const notes = [...foreign.map((each) => ["profile_foreign", each]), ...behind.map((each) => ["hall_behind", each])];
  sync(list, notes, ([key, each], n) => `${key} ${each.table} ${n}`, () => make("li", "bad"), (item, [key, each]) =>
    text(item, say(key, each)));
}
