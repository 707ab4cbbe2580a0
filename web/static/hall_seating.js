// Who sits where in each round, the latest that is seated first.

import { make, say } from "./draw.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 5000;
const WINDS = ["東", "南", "西", "北"];
const byId = (id) => document.getElementById(id);
let rounds = [];

function draw() {
  byId("none").hidden = rounds.length > 0;
  byId("files").hidden = rounds.length === 0;
  byId("rounds").replaceChildren(...rounds.map(drawRound));
}

function drawRound({ round, tables }) {
  const part = make("section", "round");
  part.append(make("h2", "", say("seating_round", { n: round })));
  const list = make("ul", "seats");
  for (const { table, players } of tables) {
    const item = make("li");
    const seats = make("ol");
    players.forEach((name, seat) => seats.append(make("li", "", `${WINDS[seat]} ${name}`)));
    item.append(make("b", "", table), seats);
    list.append(item);
  }
  part.append(list);
  return part;
}

async function look() {
  try {
    const asked = new URLSearchParams(location.search).get("session");
    const { sessions } = await (await fetch("/api/sessions")).json();
    const id = asked ?? sessions[0]?.id;
    if (id) {
      byId("csv").href = `/api/seating/${id}.csv`;
      byId("json").href = `/api/seating/${id}`;
      byId("pdf").href = `/api/seating/${id}.pdf?lang=${document.documentElement.lang.slice(0, 2)}`;
      const got = await (await fetch(`/api/seating/${id}`)).json();
      const news = (got.rounds ?? []).reverse();
      if (JSON.stringify(news) !== JSON.stringify(rounds)) { rounds = news; draw(); }
    }
  } catch {
    // what was shown stays
  }
}

followSwitches(draw);
draw();
look();
setInterval(look, LOOK_MS);
