// This phone keeps the seal of each hand, and sees at any time whether the record still agrees.
//
// An owner who rewrites the record changes every seal after it: four phones find that out. Another
// record on the same evening is a difference, too, whatever it calls itself.

import { say, text } from "./draw.js";
import { keepSeals, keptSeals } from "./kept.js";
import { get } from "./net.js";

const EVENING_MS = 6 * 3600e3; // since this phone last saw the other record
const line = document.getElementById("seals");
let seen = ""; // after which the seals were last looked at

export async function followSeals(view) {
  if (line === null) return;
  const now = `${view.phase} ${view.hand} ${view.history.length}`;
  if (now === seen) return;
  seen = now;
  const before = keptSeals(); // what is kept meanwhile, by a newer answer or another page, may be younger
  const found = await get("/api/seals");
  if (found === null) seen = ""; // the line is gone for a moment
  else compare(found, before);
}

const recordOf = (records, log) => records.find((record) => record.log === log) ?? { log, hands: [] };

function compare({ log, withheld, hands }, before) {
  if (!log) return;
  const records = keptSeals();
  const kept = recordOf(records, log);
  const given = new Map(hands.map((each) => [each.seq, each.seal]));
  const broken = recordOf(before, log).hands.find((each) => each.hand !== withheld && given.get(each.seq) !== each.seal);
  const other = before.find((each) => each.log !== log && each.hands.length > 0 && Date.now() - (each.at ?? 0) < EVENING_MS);
  if (other !== undefined) {
    line.hidden = false;
    line.classList.add("alarm");
    const last = other.hands.at(-1);
    text(line, say("seal_other", { n: last.hand, seal: last.seal }));
    return;
  }
  if (broken === undefined) {
    const known = new Set(kept.hands.map((each) => each.seq));
    kept.hands.push(...hands.filter((each) => !known.has(each.seq)));
    const others = records.filter((record) => record.log !== log);
    keepSeals([...others, { ...kept, at: Date.now() }]);
  }
  const last = kept.hands.at(-1);
  line.hidden = last === undefined;
  line.classList.toggle("alarm", broken !== undefined);
  if (broken) text(line, say("seal_broken", { n: broken.hand, seal: broken.seal }));
  else if (last) text(line, say("seals_agree", { n: kept.hands.length, hand: last.hand, seal: last.seal }));
}
