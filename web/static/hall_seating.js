// Who sits where: the round that is seated, the next one, the others as they are played.

import { isolated, make, say } from "./draw.js";
import { again, ask, byId, tableName } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 5000;
let rounds = [];

function draw() {
  byId("none").hidden = rounds.length > 0;
  byId("files").hidden = rounds.length === 0;
  const seated = Math.max(0, ...rounds.filter((each) => each.seated).map((each) => each.round));
  const [before, now] = [rounds.filter((each) => each.round < seated), rounds.filter((each) => each.round >= seated)];
  byId("rounds").replaceChildren(...[...now, ...before].map((each) => drawRound(each, seated)));
}

function drawRound({ round, tables }, seated) {
  const winds = say("seating_winds").split(" ");
  const part = make("section", "round");
  part.append(make("h2", "", say(round === seated ? "seating_now" : round === seated + 1 ? "seating_next" : "seating_round", { n: round })));
  const list = make("ul", "seats");
  for (const { table, players } of tables) {
    const seats = make("ol", "", ...players.map((name, seat) => make("li", "", `${winds[seat]} ${isolated(name)}`)));
    list.append(make("li", "", make("b", "", tableName(table)), seats));
  }
  part.append(list);
  return part;
}

followSwitches(draw);
draw();
again(LOOK_MS, async () => {
  const asked = new URLSearchParams(location.search).get("session");
  const id = asked ?? (await ask("/api/sessions")).sessions[0]?.id;
  if (!id) return;
  byId("csv").href = `/api/seating/${id}.csv`;
  byId("json").href = `/api/seating/${id}`;
  byId("print").href = `/print/seating/${id}`;
  const news = (await ask(`/api/seating/${id}`)).rounds;
  if (JSON.stringify(news) === JSON.stringify(rounds)) return;
  rounds = news;
  draw();
});
