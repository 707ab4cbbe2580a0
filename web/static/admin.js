// Health, doctor and backups. Everything comes from one view, asked for every few seconds.

import { make, pick, pressable, say, sync, text } from "./draw.js";
import { ask, comeBack, find, moment, showTrouble, tell } from "./keeping.js";
import { followSwitches } from "./switches.js";

const EVERY_MS = 2000;
const PIECE = 39_000; // bytes; a multiple of three, so that each piece is base64 of its own
const SURE_MS = 4000;

let view = null;
let turn = 0; // an answer that was asked for before another one came is older, and not drawn

// A command whose answer is the whole view.
async function command(path, content) {
  turn += 1;
  const found = await ask(path, content);
  turn += 1;
  if (!found) return false;
  view = found;
  draw();
  return true;
}

function draw() {
  if (!view) return;
  text(find("#about"), `${view.settings} · ${say("version", view)}`);
  showTrouble(view.trouble);
  sync(find("#checks"), view.checks, (check) => check.id, makeCheck, drawCheck);
  drawFindings();
  find("#hidden").hidden = !view.hidden;
  text(find("#folder"), view.folder);
  const backups = view.backups.length ? view.backups : [null];
  // They stay as they are under a finger.
  sync(find("#backups"), backups, (backup) => JSON.stringify(backup), makeBackup, drawBackup);
  sync(find("#evenings"), view.evenings, (each) => each.day, makeEvening, drawEvening);
  if (view.told) tell(pick(view.told));
}

function makeEvening() {
  const button = make("button", "quiet", say("forget"));
  const item = make("li", "", make("div"), button);
  sure(button, "forget_sure", () => command("/api/admin/forget", { day: item.dataset.key }));
  return item;
}

function drawEvening(item, evening) {
  const held = evening.held ? ` · ${say("evening_held", evening)}` : "";
  text(item.firstChild, `${say("evening_says", evening)} · ${sized(evening.size)}${held}`);
}

function makeCheck() {
  const mark = make("span", "mark");
  mark.setAttribute("role", "img");
  return make("li", "", mark, make("h3"), make("time"), make("p", "says"), make("p", "advice"));
}

function drawCheck(item, check) {
  item.className = check.state;
  item.id = `check_${check.id}`;
  item.firstChild.setAttribute("aria-label", say(check.state));
  text(item.querySelector("h3"), say(`check_${check.id}`));
  text(item.querySelector("time"), check.state === "none" ? "" : say("since", { time: moment(check.since) }));
  text(item.querySelector(".says"), pick(check.says));
  const advice = item.querySelector(".advice");
  advice.hidden = !check.advice;
  text(advice, check.advice ? pick(check.advice) : "");
}

function nameOf(what) {
  try {
    return say(`check_${what}`);
  } catch {
    return what;
  }
}

function drawFindings() {
  find("#findings").replaceChildren(...view.findings.map((each) => {
    const row = make("li", each.state);
    const mark = make("span", "mark");
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", say(each.state));
    row.append(mark, make("b", "", nameOf(each.id)), make("span", "says", pick(each.says)));
    if (each.advice) row.append(make("span", "advice", pick(each.advice)));
    return row;
  }));
  find("#examine").disabled = view.examining;
  text(find("#examined"), view.examining ? say("examining")
    : view.examined ? say("examined", { time: moment(view.examined) }) : "");
}

const sized = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function makeBackup(backup) {
  if (backup === null) return make("li", "soft");
  const what = make("div", "", make("b", backup.damaged ? "damaged" : ""), make("small", "", `${backup.name} · ${sized(backup.size)}`));
  const link = make("a", "quiet button");
  link.href = `/admin/backup/${encodeURIComponent(backup.name)}`;
  return make("li", "", what, link, pressable("quiet", () => lookInside(backup.name)));
}

function drawBackup(row, backup) {
  if (backup === null) return text(row, say("no_backups"));
  const [what, link, button] = row.children;
  text(what.firstChild, backup.damaged || `${moment(backup.made)}, ${say(`reason_${backup.reason}`)}`);
  link.hidden = view.hidden;
  text(link, say("download"));
  return text(button, say("look"));
}

// -- looking inside and putting back --------------------------------------------------------------

let inside = "";

async function lookInside(name) {
  const found = await ask("/api/admin/inside", { name });
  if (!found) return;
  inside = name;
  const dialog = find("#inside");
  const facts = [
    ["made", moment(found.made)], ["reason", say(`reason_${found.reason}`)], ["program", found.program],
    ["names", found.facts.names?.join(", ")], ["rules", found.facts.rules], ["hands", found.facts.hands],
    ["scores", found.facts.scores?.join(" · ")],
  ].filter(([, value]) => value !== undefined && value !== null);
  dialog.querySelector("dl").replaceChildren(...facts.flatMap(([key, value]) => [
    make("dt", "", say(`fact_${key}`)), make("dd", "", String(value)),
  ]));
  dialog.querySelector(".files").replaceChildren(
    ...found.files.map((file) => make("li", "", `${say(`kind_${file.kind}`)}: ${file.home} (${sized(file.size)})`)),
    ...found.missing.map((line) => make("li", "", line)),
  );
  text(dialog.querySelector(".warning"), say(found.own ? "restore_says" : "not_own"));
  const button = dialog.querySelector(".restore");
  button.hidden = !found.own;
  text(button, say("restore"));
  dialog.showModal();
}

async function upload(file) {
  const bar = find("#progress");
  bar.hidden = false;
  tell(say("uploading"));
  let offset = 0;
  do {
    const bytes = new Uint8Array(await file.slice(offset, offset + PIECE).arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const answer = await ask("/api/admin/upload", { offset, data });
    if (!answer) break;
    offset = answer.received;
    bar.value = offset / Math.max(1, file.size);
  } while (offset < file.size);
  bar.hidden = true;
  if (offset >= file.size) lookInside(".upload");
}

// A second tap within a few seconds means it.
function sure(button, question, act) {
  let asked = 0;
  const before = button.textContent;
  button.addEventListener("click", () => {
    if (Date.now() - asked < SURE_MS) {
      asked = 0;
      act();
      return;
    }
    asked = Date.now();
    text(button, say(question));
    setTimeout(() => { if (asked && Date.now() - asked >= SURE_MS) text(button, before); }, SURE_MS + 50);
  });
}

sure(find("#restart"), "restart_sure", async () => {
  if (await ask("/api/admin/restart", {})) {
    tell(say("restarting"));
    comeBack("/admin");
  }
});
sure(find("#inside .restore"), "restore_sure", async () => {
  if (await ask("/api/admin/restore", { name: inside })) {
    find("#inside").close();
    tell(say("restarting"));
    comeBack("/admin");
  }
});
find("#inside .close").addEventListener("click", () => find("#inside").close());
find("#examine").addEventListener("click", () => command("/api/admin/examine", {}));
find("#backup").addEventListener("click", async () => {
  tell(say("backing"));
  if (await command("/api/admin/backup", { evidence: find("#evidence").checked })) tell("");
});
find("#upload").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) upload(file);
  event.target.value = "";
});

async function follow() {
  const mine = turn;
  const found = await ask("/api/admin");
  if (found && mine === turn) {
    const repeated = JSON.stringify(found.told) === JSON.stringify(view?.told);
    view = found;
    if (repeated) view = { ...found, told: null };
    draw();
    view.told = found.told;
  }
  setTimeout(follow, EVERY_MS);
}

followSwitches(draw);
follow();
