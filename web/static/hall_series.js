// Tournaments and seasons on a club's desk: sessions that stand together.

import { post } from "./ask.js";
import { isolated, make, say, sync, text } from "./draw.js";
import { again, ask, byId } from "./hall_table.js";

const LOOK_MS = 3000;
const list = byId("together").querySelector("ul");
const form = byId("tournament");
const choices = form.querySelector("fieldset");

const look = again(LOOK_MS, async () => {
  const [{ series }, { sessions }] = await Promise.all([ask("/api/series"), ask("/api/sessions")]);
  sync(list, series, (each) => each.id, () => make("li"), (line, each) => text(line, `${isolated(each.name)} (${each.sessions.length})`));
  sync(choices, [null, ...sessions], (each) => each?.id ?? "legend", newChoice, (line, each) => {
    if (each) text(line.lastChild, ` ${isolated(each.name)}`);
  });
});

function newChoice(each) {
  if (each === null) return make("legend", "", say("standings_sessions"));
  const box = Object.assign(make("input"), { type: "checkbox", value: each.id });
  return make("label", "check", box, make("span"));
}

async function tell(path, body) {
  const { error } = await post(`/api/desk/${path}`, body);
  text(byId("told"), error ?? say("staff_done"));
  byId("told").classList.toggle("alarm", Boolean(error));
  await look();
  return !error;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sessions = [...choices.querySelectorAll("input:checked")].map((box) => Number(box.value));
  if (await tell("series", { name: form.elements.name.value, sessions })) form.reset();
});
