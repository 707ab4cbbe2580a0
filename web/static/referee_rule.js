// A ruling: what happened, what it costs, why; shown before it is put on record.

import { post, send } from "./ask.js";
import { make, options, pick, say, sync, text } from "./draw.js";
import { tellChange } from "./change.js";

const form = document.getElementById("ruling");
const told = form.querySelector(".told");
const accept = form.querySelector("[type=submit]");
let shown = null;
let done = () => {};
let foretold = null; // the ruling whose change stands there: this one is put on record, and no other
let turn = 0;

function forget() {
  turn += 1;
  foretold = null;
  accept.disabled = true;
}

// Draw the form for a hand; `after` is called when a ruling was put on record.
export function drawRuling(dispute, after) {
  if (shown !== null && shown.hand !== dispute.hand) {
    forget();
    tellChange(told, []);
  }
  shown = dispute;
  done = after;
  options(form.elements.seat, dispute.seats.map((who, seat) => [seat, pick(who)]));
  options(form.elements.irregularity, [
    ["", say("points_alone")],
    ...dispute.irregularities.map((each) => [each.id, pick(each.words)]),
  ]);
  sync(form.querySelector(".points"), dispute.seats, (_, seat) => seat, (_, seat) => {
    const label = make("label");
    const input = make("input");
    input.type = "number";
    input.name = `points-${seat}`;
    input.value = "0";
    input.step = "1";
    label.append(make("span"), input);
    return label;
  }, (label, who) => text(label.firstChild, pick(who)));
  drawCosts();
}

function drawCosts() {
  const wanted = form.elements.irregularity.value;
  const found = shown.irregularities.find((each) => each.id === wanted);
  const said = found
    ? `${say("costs")}: ${Object.entries(found.consequences).map(([name, value]) => `${name} ${value}`).join(", ")} (${found.source})`
    : "";
  text(form.querySelector(".costs"), said);
}

function command() {
  const reason = form.elements.reason.value.trim();
  const transfers = [0, 1, 2, 3].map((seat) => Number(form.elements[`points-${seat}`].value || 0));
  return {
    seat: Number(form.elements.seat.value),
    irregularity: form.elements.irregularity.value,
    transfers,
    reason: { en: reason, zh: reason },
    dead: form.elements.dead.checked ? "long" : null,
    before: shown.ends,
  };
}

function problem({ transfers, reason }) {
  if (transfers.reduce((sum, each) => sum + each, 0) !== 0) return say("must_be_zero");
  return reason.en ? "" : say("must_have_reason");
}

async function see() {
  const body = command();
  const wrong = problem(body);
  forget();
  if (wrong) return tellChange(told, [wrong]);
  const mine = turn;
  const change = await post("/api/preview", { command: "rule", body });
  if (mine !== turn) return undefined; // something else stands in the form by now
  foretold = change.error ? null : body;
  accept.disabled = foretold === null;
  return tellChange(told, change);
}

async function rule(event) {
  event.preventDefault();
  if (foretold === null) return;
  const body = foretold;
  forget();
  const refused = await send("/api/rule", body);
  tellChange(told, [refused ?? say("ruled")]);
  if (refused === null) {
    form.reset();
    done();
  }
}

form.querySelector(".see").addEventListener("click", see);
form.addEventListener("submit", rule);
form.addEventListener("input", () => {
  forget();
  drawCosts();
});
