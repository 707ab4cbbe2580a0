// Parts of a page that most people do not open: fetched when they are opened, or are in use already.

import { fetched } from "./part.js";
import { local } from "./store.js";

const byId = (id) => document.getElementById(id);
const IN_USE = {
  signals: () => !["[]", null].includes(local.get("table-signals")),
  eyes: () => byId("eyes").dataset.kept === "yes",
  learn: () => local.get("table-learns") === "yes",
  clock: (view) => byId("clock").dataset.set === "yes" || view.events.some(({ type }) => type === "ClockSet"),
};
const found = {}; // the modules, by their part
const asked = new Set();
let whenThere = () => {};

for (const id of Object.keys(IN_USE)) {
  const panel = byId(id);
  const details = panel?.matches("details") ? panel : panel?.querySelector("details");
  details?.addEventListener("toggle", () => bring(id), { once: true });
  if (details?.open) bring(id); // by somebody who was faster than this script
}

// The parts that are there; `redraw` is called when there is one more.
export function later(view, redraw) {
  whenThere = redraw;
  for (const [id, isInUse] of Object.entries(IN_USE)) if (byId(id) && isInUse(view)) bring(id);
  return found;
}

async function bring(id) {
  if (asked.has(id)) return;
  asked.add(id);
  found[id] = await fetched(`./${id}.js`);
  whenThere();
}
