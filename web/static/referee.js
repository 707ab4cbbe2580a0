// The referee's desk: one hand with its verdicts, decisions, rules and changes.

import { refusal } from "./ask.js";
import { make, options, pick, points, say, signed, sync, text, tile } from "./draw.js";
import { call } from "./net.js";
import { drawRuling } from "./referee_rule.js";
import { openEntry } from "./referee_entry.js";
import { followSwitches } from "./switches.js";

const byId = (id) => document.getElementById(id);
const choice = byId("hands");
let shown = null; // the dispute that is on the desk
let asked = 0; // how many were asked for: of several answers only the latest is laid on the desk

async function get(path) {
  const { said } = await call(path);
  return said === null ? { error: say("not_sent") } : { ...said, error: refusal(said) };
}

async function list() {
  const answer = await get("/api/disputes");
  text(byId("problem"), answer.error ?? "");
  const numbers = answer.hands ?? [];
  byId("no-hands").hidden = numbers.length > 0 || Boolean(answer.error);
  options(choice, numbers.map((number) => [number, String(number)]));
  // The one that is chosen now: the answer to that choice may not be here yet.
  if (numbers.length) await open(Number(choice.value) || numbers[0]);
}

// Lay a hand on the desk; what was done to it since is looked up again.
async function open(number) {
  asked += 1;
  const turn = asked;
  const answer = await get(`/api/disputes/${number}`);
  if (turn !== asked) return;
  text(byId("problem"), answer.error ?? "");
  byId("case").hidden = Boolean(answer.error);
  if (answer.error) return;
  shown = answer;
  choice.value = number;
  draw();
}

function draw() {
  if (shown === null) return;
  const { rules } = shown;
  const parts = [pick(rules.name), rules.profile && `${say("profile")} ${rules.profile}`];
  const options = Object.entries(rules.options).map(([name, value]) => `${name} = ${value}`);
  text(byId("hand-rules"), [...parts, ...options, !rules.same && say("rules_differ")].filter(Boolean).join(" · "));
  drawJudged();
  drawLaws();
  drawEntries();
  drawChanges();
  drawRuling(shown, () => open(shown.hand));
  const file = byId("file");
  file.href = `/api/disputes/${shown.hand}/file`;
  text(file, say("file"));
  text(byId("seal"), `${say("seal")} ${shown.seal}`);
}

function drawJudged() {
  const judged = byId("judged");
  judged.replaceChildren();
  for (const verdict of shown.verdicts) judged.append(oneVerdict(verdict));
  if (shown.verdicts.length === 0) judged.append(make("p", "empty", shown.why_not || say("nothing_wins")));
  if (shown.total) {
    const row = make("p", "total");
    shown.total.forEach((moved, seat) => {
      const part = make("span", moved > 0 ? "up" : moved < 0 ? "down" : "", `${pick(shown.seats[seat])} ${signed(moved)}`);
      row.append(part);
    });
    judged.append(row);
  }
  for (const step of shown.steps) judged.append(make("p", "step", pick(step)));
}

function oneVerdict(verdict) {
  const block = make("div", "verdict");
  const title = make("h3", "", pick(shown.seats[verdict.seat]));
  const row = make("p", "shown");
  for (const meld of verdict.melds) {
    const group = make("span", "meld", ...meld.tiles.map((name) => tile(name)));
    row.append(group);
  }
  row.append(...verdict.tiles.map((name) => tile(name)), tile(verdict.winning, "winning"));
  block.append(title, row);
  for (const pattern of verdict.patterns) {
    const line = make("p", "pattern", make("span", "", pick(pattern.name)), make("b", "num", points(pattern.value)));
    block.append(line);
  }
  for (const refusal of verdict.refusals) {
    block.append(make("p", "down", `${say("refused_for")}: ${pick(refusal)}`));
  }
  return block;
}

function drawLaws() {
  const laws = byId("laws");
  laws.replaceChildren();
  laws.closest("section").hidden = shown.laws.length === 0;
  for (const law of shown.laws) {
    const said = make("dd", "", pick(law.words), make("small", "", law.source));
    laws.append(make("dt", "", law.number), said);
  }
}

function drawEntries() {
  const whole = byId("whole").checked;
  const entries = shown.entries.filter((entry) => whole || entry.decides).reverse();
  sync(byId("entries"), entries, (entry) => `${entry.seq}`, newEntry, (li, entry) => {
    const button = li.firstChild;
    drawLine(button, entry);
    button.onclick = () => openEntry(entry, () => open(shown.hand));
  });
}

function newEntry() {
  return make("li", "", make("button", "line", make("time"), make("span", "text"), make("small", "who")));
}

function drawLine(parent, entry) {
  const [time, words, who] = parent.children;
  text(time, `${entry.seq} · ${new Date(entry.t * 1000).toLocaleTimeString("en-GB")}`);
  text(words, pick(entry.text));
  const sure = entry.confidence < 1 ? ` ${Math.floor(10000 * entry.confidence) / 100} %` : "";
  text(who, (entry.by || pick(entry.source)) + sure);
  parent.classList.toggle("pictured", entry.evidence !== null && entry.evidence !== undefined);
}

function drawChanges() {
  sync(byId("changes"), [...shown.changes].reverse(), (entry) => entry.seq,
    () => make("li", "line", make("time"), make("span", "text"), make("small", "who")), (li, entry) => drawLine(li, { ...entry, confidence: 1 }));
  byId("no-changes").hidden = shown.changes.length > 0;
}

choice.addEventListener("change", () => open(Number(choice.value)));
byId("refresh").addEventListener("click", list);
byId("whole").addEventListener("change", drawEntries);
followSwitches(draw);
list();
