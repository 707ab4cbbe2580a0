// The end of a round, table by table, and the rules of the session.

import { drawForeign } from "./hall_foreign.js";
import { make, options, pick, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";

const LOOK_MS = 2000;
const form = byId("finish");
let rounds = null;
let profiles = null;
let tell = async () => null;
let session = () => 0;

export function followRounds(telling, chosen) {
  [tell, session] = [telling, chosen];
  byId("ask")?.addEventListener("click", () => tell("round/ask", { session: session(), round: rounds.round }));
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reason = form.elements.reason.value;
    if (await tell("round/finish", { session: session(), round: rounds.round, reason })) form.reset();
  });
  again(LOOK_MS, async () => {
    if (session()) [rounds, profiles] = await Promise.all(["rounds", "profiles"].map((name) => ask(`/api/desk/${name}/${session()}`)));
    drawRounds();
  });
}

// The round that is played; 0 for none, null until that is known.
export const running = () => (rounds === null ? null : rounds.tables.length && rounds.round);

export function drawRounds() {
  if (rounds !== null) drawEnds();
  if (profiles !== null) drawProfiles();
}

function drawEnds() {
  const isOpen = rounds.tables.length > 0;
  byId("no-rounds").hidden = rounds.round > 0;
  text(byId("round-now"), isOpen ? say("rounds_round", { n: rounds.round }) : "");
  sync(byId("stands"), rounds.tables, (table) => table.table, () => make("li", "", make("b"), make("span")), (item, table) => {
    text(item.children[0], table.name);
    text(item.children[1], table.agrees ? say("rounds_agrees") : table.why_not.map(pick).join(" · "));
    item.children[1].className = table.agrees ? "good" : "bad";
  });
  if (form) {
    byId("ask").hidden = !isOpen;
    form.hidden = !isOpen;
  }
  sync(byId("ends"), rounds.finished, (end) => end.round, () => make("li", "", make("span"), make("span", "bad")), (item, end) => {
    const tables = Object.entries(end.against).map(([table, why]) => `${table} (${why})`).join(", ");
    const how = end.reason ? say("rounds_forced", { ...end, tables }) : say("rounds_finished", end);
    text(item.children[0], `${say("rounds_round", { n: end.round })}: ${how}`);
    text(item.children[1], end.changed.length ? say("rounds_changed", { tables: end.changed.join(", ") }) : "");
  });
}

function drawProfiles() {
  const { wanted, known, foreign } = profiles;
  text(byId("profile-now"), wanted ? say("profile_is", { name: pick(wanted.names), sign: wanted.hash.slice(0, 8) }) : say("profile_none"));
  drawForeign(byId("foreign"), foreign);
  const list = byId("profile-list");
  if (list === null) return;
  options(list, known.map((each) => [each.id, pick(each.names)]));
}
