// Standings of a session, a tournament or a season, as they come.

import { options, say, text } from "./draw.js";
import { drawForeign } from "./hall_foreign.js";
import { again, ask, byId, drawRows, moved, player } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 4000;
const which = byId("which");
let lists = { sessions: [], series: [] };
let now = null;

function draw() {
  for (const kind of ["series", "sessions"]) {
    const group = byId(kind);
    group.label = say(kind === "series" ? "standings_series" : "standings_sessions");
    group.hidden = lists[kind].length === 0;
    const path = kind === "series" ? "series" : "standings";
    options(group, lists[kind].map((each) => [`${path}/${each.id}`, each.name]));
  }
  which.hidden = lists.sessions.length + lists.series.length === 0;
  byId("held").hidden = now !== null;
  for (const id of ["standing", "sum", "files"]) byId(id).hidden = now === null;
  if (now === null) return;
  drawForeign(byId("foreign"), now.foreign, now.behind);
  drawRows(byId("standing"), now.players, (row) => row.player, (row, index) => [
    index + 1, player(row), moved(row.points), row.corrected ? moved(row.corrected) : "", row.hands, row.wins, row.best || "",
  ], [3, 6]);
  text(byId("sum"), now.sum ? say("standings_uneven", { n: moved(now.sum) }) : say("standings_zero"));
  byId("sum").classList.toggle("bad", now.sum !== 0);
  byId("json").href = `/api/${which.value}`;
  byId("csv").href = `/api/${which.value}.csv`;
  byId("print").href = `/print/${which.value}`;
}

async function look() {
  const [{ sessions }, { series }] = await Promise.all([ask("/api/sessions"), ask("/api/series")]);
  const first = lists.sessions.length + lists.series.length === 0;
  lists = { sessions, series };
  draw();
  if (first) choose();
  const { value } = which;
  const got = value ? await ask(`/api/${value}`) : null;
  if (value !== which.value) return; // another one is chosen by now, and asked for
  now = got;
  draw();
}

// What the address names; else the newest session.
function choose() {
  const asked = new URLSearchParams(location.search);
  const [kind, id] = asked.has("series") ? ["series", asked.get("series")] : ["standings", asked.get("session") ?? lists.sessions[0]?.id];
  const wanted = `${kind}/${id}`;
  if ([...which.options].some((option) => option.value === wanted)) which.value = wanted;
}

which.addEventListener("change", () => {
  const [kind, id] = which.value.split("/");
  history.replaceState(null, "", `?${kind === "series" ? "series" : "session"}=${id}`);
  asking();
});
followSwitches(draw);
const asking = again(LOOK_MS, look);
