// The hall's line: every table as it stands, and whether what is shown is still true.

import { followLine, isLost } from "./line.js";

const LATE_S = 12; // the hub itself has not reached its database for so long

export const tables = new Map();
let isOld = false;
let isHeard = false;

export const isStale = () => isOld || !isHeard || isLost();

export function followHall(changed) {
  followLine("/api/stream", (name, said) => {
    if (name === "hall") take(said);
    if (name !== "lost") [isHeard, isOld] = [true, name === "beat" && said.age_s > LATE_S];
    changed();
  });
}

function take(news) {
  for (const table of news.tables) tables.set(table.id, table);
  const [there, quiet] = [new Set(news.there), new Set(news.quiet)];
  for (const [id, table] of tables) {
    if (there.has(id)) table.quiet = quiet.has(id);
    else tables.delete(id);
  }
}

export const byName = () =>
  [...tables.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
