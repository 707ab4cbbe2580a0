// The table's club: what it holds, the code while the table waits, and the call for a referee.

import { post } from "./ask.js";
import "./club_line.js";
import { pick, say, text } from "./draw.js";
import { keptSeals } from "./kept.js";
import { get } from "./net.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 1500;
const MOST_SEALS = 100;
const byId = (id) => document.getElementById(id);
const [call, called, join, leave] = ["call", "called", "join", "leave"].map(byId);
let now = null;
let trouble = null; // an answer that refused

function draw() {
  text(byId("told"), trouble?.error ?? "");
  byId("told").classList.toggle("alarm", trouble !== null);
  if (now === null) return;
  const member = now.hub !== "";
  call.hidden = !now.is_in || now.call !== null;
  called.hidden = now.call === null;
  text(called.querySelector("p"), now.call ?? "");
  text(byId("where"), !member ? say("club_none") : now.code ? say("club_code") : `${say("club_in")} ${now.hub}`);
  byId("code").hidden = !now.code;
  text(byId("code"), now.code);
  text(byId("have"), now.is_in ? say("club_have", now) : "");
  text(byId("said"), now.said && !now.code ? pick(now.said) : "");
  text(byId("pictures"), now.is_in ? say(now.pictures ? "club_pictures" : "club_no_pictures") : "");
  byId("doors").hidden = !now.is_in;
  if (now.is_in) drawDoors();
  if (join) join.hidden = member;
  if (leave) leave.hidden = !member;
}

// The hub's page gets the seals behind the #: the browser sends them to nobody by itself.
function drawDoors() {
  const hub = now.hub.replace(/\/*$/, "/");
  byId("hub").href = hub;
  const record = keptSeals().at(-1);
  byId("check").hidden = record === undefined;
  if (record === undefined) return;
  const seals = record.hands.slice(-MOST_SEALS).map(({ hand, seq, seal }) => `${hand}-${seq}-${seal}`);
  byId("check").href = `${hub}seals#${new URLSearchParams({ table: now.table, log: record.log, seals: seals.join(",") })}`;
}

async function look() {
  now = (await get("/api/club")) ?? now; // where the table is not reached, what was shown stays
  draw();
}

async function tell(path, body = {}) {
  const got = await post(path, body);
  trouble = got.error ? got : null;
  await look();
}

call.addEventListener("submit", (event) => {
  event.preventDefault();
  tell("/api/club/call", { reason: call.elements.reason.value });
  call.reset();
});
byId("over").addEventListener("click", () => tell("/api/club/call/over"));
join?.addEventListener("submit", (event) => {
  event.preventDefault();
  tell("/api/club/join", { hub: join.elements.hub.value });
});
leave?.addEventListener("click", () => tell("/api/club/leave"));

followSwitches(draw);
look();
setInterval(look, LOOK_MS);
