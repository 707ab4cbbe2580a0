// Who plays in the chosen session: late, absent, replaced.

import { make, pick, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";

const LOOK_MS = 3000;
const form = byId("roster");
let now = null; // the roster
let players = []; // of the club, with their numbers
let tell = async () => null;
let session = () => 0;

export function followRoster(telling, chosen) {
  if (form === null) return;
  tell = telling;
  session = chosen;
  const body = (...more) => {
    const found = { session: session() };
    for (const name of ["player", "first", ...more]) {
      const { value } = form.elements[name];
      found[name] = name === "counts_for" ? value : Number(value);
    }
    return found;
  };
  byId("absent").addEventListener("click", () => form.reportValidity() && tell("absent", body("last")));
  byId("here").addEventListener("click", () => form.reportValidity() && tell("here", body()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell("stand-in", body("last", "by", "counts_for"));
  });
  byId("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = byId("enter").elements.numbers.value.trim().split(/\s+/).filter(Boolean);
    const found = players.filter((each) => wanted.length === 0 || wanted.includes(each.number));
    tell("entrants", { session: session(), players: found.map((each) => each.id), first: Number(byId("enter").elements.first.value) });
  });
  again(LOOK_MS, async () => {
    if (session()) now = await ask(`/api/desk/roster/${session()}`);
  });
}

export function drawRoster(desk) {
  if (form === null) return;
  players = desk.players;
  if (now === null) return;
  const due = now.now + 1;
  const missing = now.missing ? ` ${say("roster_missing", { n: now.missing })}` : "";
  text(byId("can-play"), say("roster_count", { n: now.can_play, round: due }) + missing);
  const absent = now.players.filter((each) => each.first && each.absent).map((each) =>
    ({ key: `absent ${each.player}`, says: say("roster_is_absent", { name: each.name }) }));
  const instead = now.stand_ins.map((each, n) => {
    const whom = each.for_replaced ? each.player : each.by;
    return { key: `instead ${n}`, says: say("roster_plays_for", { ...each, when: pick(each.when), whom }) };
  });
  sync(byId("roster-list"), [...absent, ...instead], (row) => row.key, () => make("li"), (item, row) => text(item, row.says));
}
