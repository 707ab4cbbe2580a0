// A table of the hall over a stream's picture, as late as the hub is asked to be.

import { isolated, make, pick, say, signed, sync, text } from "./draw.js";
import { ask, byId } from "./hall_table.js";
import { followSwitches } from "./switches.js";
import { now } from "./time.js";

const LOOK_MS = 1000;
const LOST_MS = 10_000;
const main = byId("main");
const delay = Number(document.body.dataset.delay ?? 0);
let shown = null;
let heard = -Infinity;

function draw() {
  document.body.classList.toggle("lost", now() - heard > LOST_MS);
  main.hidden = shown === null;
  if (shown === null) return;
  const { name, view } = shown;
  const [first, second] = byId("headline").children;
  text(first, `${isolated(name)}${view.hand ? ` · ${say("hall_hand", { n: view.hand })}` : ""}`);
  text(second, view.headline ? pick(view.headline) : "");
  sync(byId("seats"), view.names ?? [], (_, seat) => seat, () => make("li", "", make("bdi"), make("b")), (item, who, seat) => {
    text(item.children[0], who);
    text(item.children[1], signed(view.scores?.[seat] ?? 0));
    item.classList.toggle("dealer", view.dealer === seat);
  });
}

async function look() {
  try {
    const { table } = await ask(`/api/table/${main.dataset.table}?delay=${delay}`);
    // Another process of the hub may have begun to keep the past later, or be a moment behind.
    if (table !== null && (shown === null || table.changed >= shown.changed)) shown = table;
    heard = now();
  } catch {
    // what was shown stays, and fades when nothing comes
  }
  draw();
}

followSwitches(draw);
look();
setInterval(look, LOOK_MS);
