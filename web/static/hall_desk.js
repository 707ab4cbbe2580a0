// The desk of a club: calls, alarms, tables, players, sessions and seats.

import { post } from "./ask.js";
import { isolated, make, options, pick, say, sync, text } from "./draw.js";
import { drawActs, followActs } from "./hall_acts.js";
import { drawClock, followClock, nameTables } from "./hall_clock.js";
import { drawSeating, followSeating } from "./hall_draw.js";
import { drawFiles, followFiles } from "./hall_files.js";
import { drawFolds, followFolds } from "./hall_folds.js";
import { drawPlan, followPlan } from "./hall_plan.js";
import { drawRounds, followRounds } from "./hall_rounds.js";
import { drawRoster, followRoster } from "./hall_roster.js";
import { button, tableName } from "./hall_table.js";
import { drawWalk, followWalk } from "./hall_walk.js";
import { call, get } from "./net.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 1500;
const QUIET_S = 15;
const byId = (id) => document.getElementById(id);
const counted = JSON.parse(document.querySelector("[data-counted]").dataset.counted);
const seats = byId("seats");
let now = null;
let wrong = [];
let rows = [];
let told = () => "";
let isBad = false;

function draw() {
  text(byId("told"), told());
  byId("told").classList.toggle("alarm", isBad);
  for (const each of document.querySelectorAll(".seat")) text(each, say("staff_seat", { n: each.dataset.n }));
  sync(byId("rows"), rows, (row) => row.what.en, () => line(2), (item, row) => {
    text(item.children[0], `${pick(row.what)}: ${pick(row.figures)}`);
    text(item.children[1], say(row.holds ? "staff_holds" : "staff_fails"));
    item.children[1].className = row.holds ? "good" : "bad";
  });
  sync(byId("wrong"), wrong, (each) => each.en, () => line(1), (item, each) => text(item.children[0], pick(each)));
  if (now === null) return;
  drawFolds({ calls: now.calls.length, alarms: now.alarms.length + wrong.length, waiting: now.waiting });
  byId("no-calls").hidden = now.calls.length > 0;
  byId("no-alarms").hidden = now.alarms.length + wrong.length > 0;
  text(byId("asks"), now.waiting ? say("staff_asks", { n: now.waiting }) : "");
  const refused = Object.entries(now.refused).map(([why, n]) => `${pick(counted[why])} ${n}`);
  text(byId("refused"), refused.length ? say("staff_refused", { what: refused.join(", ") }) : "");
  sync(byId("calls"), now.calls, (call) => call.call, newCall, drawCall);
  sync(byId("alarms"), now.alarms, (each) => each.alarm, (each) => withButton("staff_seen", "alarm", { alarm: each.alarm }), (item, each) => {
    item.classList.toggle("alarm", each.grave);
    text(item.children[0], `${tableName(each.table)}: ${pick(each.says)} (${each.told})`);
  });
  sync(byId("tables-list"), now.tables, (table) => table.id, (table) => withButton("staff_out", "send-out", { table: table.id }), (item, table) =>
    text(item.children[0], `${tableName(table.name)} · ${say("hall_hand", { n: table.view.hand ?? 0 })}${table.age_s > QUIET_S ? ` · ${say("hall_quiet", { n: Math.round(table.age_s) })}` : ""}`));
  options(byId("session"), named(now.sessions));
  byId("chosen").hidden = now.sessions.length === 0;
  for (const list of document.querySelectorAll("[data-list]")) options(list, named(now[list.dataset.list]));
  drawActs();
  nameTables(now.tables);
  drawClock();
  drawRoster(now);
  drawRounds();
  drawPlan();
  drawFiles();
  drawWalk(now, session());
  if (seats === null) return;
  sync(byId("sessions"), now.sessions, (each) => `${each.id} ${each.public}`, (each) =>
    withButton(each.public ? "staff_hold" : "staff_publish", "publish", { session: each.id, public: !each.public }), (item, each) => text(item.children[0], each.name));
  sync(byId("players-list"), now.players, (each) => each.id, () => make("li"), (item, each) => text(item, `${each.number} ${isolated(each.name)}`));
  drawSeating();
  options(seats.elements.table, named(now.tables));
  for (let seat = 0; seat < 4; seat += 1) {
    const player = seats.elements[`player${seat}`];
    const isFirst = player.length === 0;
    options(player, named(now.players));
    if (isFirst && seat < player.length) player.selectedIndex = seat; // four different people
  }
}

function line(parts) {
  const item = make("li");
  for (let part = 0; part < parts; part += 1) item.append(make("span"));
  return item;
}

function withButton(key, path, body) {
  const item = line(1);
  item.append(button(key, () => tell(path, body)));
  return item;
}

function newCall(call) {
  const item = line(2);
  item.append(button("staff_go", () => tell("call/go", { call: call.call })), button("staff_over", () => tell("call/over", { call: call.call })));
  return item;
}

function drawCall(item, call) {
  text(item.children[0], say("staff_waits", { table: tableName(call.table), n: call.waits_s, reason: call.reason }));
  text(item.children[1], call.going ? say("staff_goes", { name: call.going }) : "");
  item.children[2].hidden = call.going !== "";
}

const named = (items) => items.map((each) => [each.id, each.name]);

let asked = 0;
let drawn = 0; // an answer that was asked for before the one that is drawn is older
async function look() {
  asked += 1;
  const mine = asked;
  const isFirst = now === null;
  const got = await get("/api/desk");
  if (mine < drawn) return;
  got?.players.sort((a, b) => a.number.localeCompare(b.number, "en", { numeric: true }));
  if (got !== null) [now, drawn] = [got, mine];
  draw();
  if (isFirst && now !== null) document.dispatchEvent(new Event("done")); // the session is known
}

// It needs no database, so it answers where all else waits for one.
async function lookWhatIsWrong() {
  const { ok, said } = await call("/api/desk/wrong");
  if (said !== null) wrong = ok ? said.wrong : [said.error]; // the hub is away: its page says so
  draw();
}

async function tell(path, body) {
  // What came of it stands beside what was tapped.
  document.activeElement?.closest(".desk form, .desk details")?.append(byId("told"));
  const got = await post(`/api/desk/${path}`, body);
  isBad = Boolean(got.error);
  const { error } = got;
  told = () => error || (got.new === undefined ? say("staff_done") : say("staff_added", got));
  await look();
  document.dispatchEvent(new Event("done"));
  return isBad ? null : got;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if ("four" in field.dataset) return field.value.trim().split(/\s+/).map(Number);
  const isNumber = field.type === "number" || "list" in field.dataset || "number" in field.dataset;
  return isNumber ? Number(field.value) : field.value;
}

for (const form of document.querySelectorAll("form[data-to]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = [...form.elements].filter((field) => field.name);
    const body = Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
    if ("session" in form.dataset) body.session = session();
    if (await tell(form.dataset.to, body)) form.reset();
  });
}
seats?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { round, table } = seats.elements;
  const players = [0, 1, 2, 3].map((seat) => Number(seats.elements[`player${seat}`].value));
  tell("seats", { session: session(), round: Number(round.value), table: Number(table.value), players });
});
byId("check").addEventListener("click", async () => {
  ({ rows } = (await get("/api/desk/reconciled")) ?? { rows });
  draw();
});

const session = () => Number(byId("session").value);
byId("session").addEventListener("change", look);
followFolds();
followWalk();
followSeating(tell, session);
followActs(tell);
followClock(tell);
followPlan(tell);
followFiles(tell);
followRoster(tell, session);
followRounds(tell, session);
followSwitches(draw);
for (const each of [look, lookWhatIsWrong]) {
  each();
  setInterval(each, LOOK_MS);
}
