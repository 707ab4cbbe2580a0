// Seats on a club's desk: a proposal with its defects, accepted as a whole, told round by round.

import { isolated, make, pressable, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";

const form = byId("draw");
let proposal = null;
let rounds = null; // as they are planned, once that is known
let tell = async () => null; // sends a command of the desk's, and gives its answer
let session = () => 0; // the chosen one

export function followSeating(telling, chosen) {
  if (form === null) return;
  tell = telling;
  session = chosen;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { kind, rounds: many, sit_out: out } = form.elements;
    const body = { session: session(), kind: kind.value, rounds: Number(many.value), seed: String(Date.now()), sit_out: out.checked };
    proposal = await tell("draw", body);
    drawSeating();
  });
  const written = byId("written");
  written.addEventListener("submit", async (event) => {
    event.preventDefault();
    proposal = await tell("plan/check", { session: session(), csv: written.elements.csv.value });
    drawSeating();
  });
  byId("accept").addEventListener("click", async () => {
    const { first, plan } = proposal;
    if (await tell("plan", { session: session(), first, plan })) proposal = null;
    await look();
  });
  const look = again(3000, async () => {
    if (session()) rounds = (await ask(`/api/seating/${session()}`)).rounds ?? [];
    drawSeating();
  });
}

// Null until they are known.
export const plannedRounds = () => rounds;

export function drawSeating() {
  if (form === null) return;
  byId("accept").hidden = proposal === null;
  const out = proposal?.out.length ? ` ${say("seating_out", { names: proposal.out.map(isolated).join(", ") })}` : "";
  const odd = (proposal?.rounds ?? []).flatMap(({ round: n, out: left, absent }) => [
    left.length ? say("seating_left", { n, names: left.map(isolated).join(", ") }) : "",
    absent.length ? say("seating_odd", { n, names: absent.map(isolated).join(", ") }) : "",
  ]);
  text(byId("defects"), proposal ? say("seating_told", proposal.defects) + out : "");
  sync(byId("odd"), odd.filter(Boolean), (said) => said, (said) => make("li", "bad", said));
  byId("proposal").replaceChildren(
    ...(proposal?.names ?? []).map((tables) =>
      make("li", "", tables.map((names) => names.map(isolated).join(", ")).join(" | "))),
  );
  const begin = ({ round }) => pressable("quiet", () => tell("round", { session: session(), round }));
  sync(byId("planned"), rounds ?? [], (each) => `${each.round} ${each.seated}`, (each) => make("li", "", !each.seated && begin(each)),
    (item, each) => text(item.firstChild?.tagName === "BUTTON" ? item.firstChild : item, say(each.seated ? "seating_seated" : "seating_begin", { n: each.round })));
}
