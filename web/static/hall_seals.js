// The seals that a phone has kept stand behind the #, which no browser sends: each is compared.

import { make, say, sync, text } from "./draw.js";
import { ask, byId } from "./hall_table.js";
import { followSwitches } from "./switches.js";

// #table=KEY&log=LETTERS&seals=HAND-ENTRY-LETTERS,…
const given = new URLSearchParams(location.hash.slice(1));
const seals = (given.get("seals") ?? "").split(",").map((each) => each.split("-"))
  .filter((parts) => parts.length === 3).map(([hand, seq, seal]) => ({ hand, seq, seal, says: "asking" }));

function draw() {
  byId("none").hidden = seals.length > 0;
  const bad = seals.filter((each) => each.says === "differs").length;
  const good = seals.filter((each) => each.says === "agrees").length;
  text(byId("told"), seals.length === 0 ? "" : say(bad ? "seals_bad" : "seals_good", { n: bad || good, all: seals.length }));
  byId("told").classList.toggle("alarm", bad > 0);
  sync(byId("rows"), seals, (each) => each.seq, () => make("li", "", make("span"), make("code", "soft"), make("b")), (row, each) => {
    text(row.children[0], say("hall_hand", { n: each.hand }));
    text(row.children[1], each.seal);
    text(row.children[2], say(`seals_${each.says}`));
    row.children[2].className = { agrees: "good", differs: "bad" }[each.says] ?? "soft";
  });
}

async function compare() {
  const [table, log] = [given.get("table"), given.get("log")].map((part) => encodeURIComponent(part ?? ""));
  for (const each of seals) {
    try {
      Object.assign(each, await ask(`/api/seals/${table}/${log}/${encodeURIComponent(each.seq)}/${encodeURIComponent(each.seal)}`));
    } catch {
      each.says = "failed";
    }
    draw();
  }
}

followSwitches(draw);
draw();
compare();
