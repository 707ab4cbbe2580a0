// The hall's line: every table as it stands, and whether what is shown is still true.

const LATE_MS = 12_000; // a beat comes every five seconds
const AGAIN_MS = 1_000;
const LOST_MS = 2_000; // a line that is broken for so long

export const tables = new Map();
let heard = 0;
let lost = null; // since when the line is broken
let isOld = false; // the hub itself has not reached its database

export function isStale() {
  const now = performance.now();
  return isOld || now - heard > LATE_MS || (lost !== null && now - lost > LOST_MS);
}

export function followHall(changed) {
  const line = new EventSource("/api/stream");
  line.addEventListener("hall", (event) => {
    const news = JSON.parse(event.data);
    for (const table of news.tables) tables.set(table.id, table);
    const [there, quiet] = [new Set(news.there), new Set(news.quiet)];
    for (const [id, table] of tables) {
      if (there.has(id)) table.quiet = quiet.has(id);
      else tables.delete(id);
    }
    hear(false);
  });
  line.addEventListener("beat", (event) => hear(1000 * JSON.parse(event.data).age_s > LATE_MS));
  line.addEventListener("error", () => {
    lost ??= performance.now();
    if (line.readyState === EventSource.CLOSED) setTimeout(() => followHall(changed), AGAIN_MS);
    changed();
  });
  function hear(old) {
    [heard, isOld, lost] = [performance.now(), old, null];
    changed();
  }
}

export const byName = () =>
  [...tables.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
