// The page: draws each view that the stream brings, tells its age, and sends commands.

import {
  age, currentLanguage, die, make, pick, say, setChange, setLanguage, setTile, sync, text, tile, tiles,
} from "./draw.js";
import { drawWin } from "./win.js";

const SILENT_S = 12; // the server speaks every 5 s; after two missed beats the line is lost
const RETRY_MS = 2000;
const OLD_S = 15; // a camera or board that is "live" and has said nothing for so long is not
const ARMED_MS = 5000;

const byId = (id) => document.getElementById(id);
const token = document.querySelector("meta[name=table-token]").content;
const seats = [...document.querySelectorAll(".seat")];

let view = null; // the last whole view; its health is replaced between
let run = null; // the program's run: another one means that the page itself may be old
let clock = 0; // seconds to add to this device's clock to get the program's
let heard = performance.now();
let stream = null;
let retry = 0;
let armed = null; // the entry whose "take back" was tapped once
let sending = null; // the question that an answer is on its way to

// --- the stream

function connect() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource("/api/stream");
  stream.addEventListener("hello", ({ data }) => {
    const hello = JSON.parse(data);
    if (run !== null && run !== hello.run) location.reload();
    run = hello.run;
    hear(hello.now);
  });
  stream.addEventListener("beat", ({ data }) => hear(JSON.parse(data).now));
  stream.addEventListener("view", ({ data }) => {
    heard = performance.now();
    const first = view === null;
    view = JSON.parse(data);
    draw(first);
  });
  stream.addEventListener("health", ({ data }) => {
    heard = performance.now();
    if (view === null) return;
    Object.assign(view, JSON.parse(data));
    tick();
  });
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
  };
}

function hear(now) {
  heard = performance.now();
  clock = now - Date.now() / 1000;
  tick();
}

const silence = () => (performance.now() - heard) / 1000;
const isLost = () => silence() > SILENT_S || (silence() > 3 && stream.readyState !== EventSource.OPEN);

// A sleeping phone's connection is often dead without a word: do not wait to find out.
function wake() {
  if (document.visibilityState === "visible" && silence() > 6) connect();
}
document.addEventListener("visibilitychange", wake);
addEventListener("pageshow", (event) => event.persisted && connect());
addEventListener("online", connect);

// --- drawing

function draw(first = false) {
  if (view === null) return;
  document.body.classList.remove("connecting");
  document.body.classList.toggle("settled", view.phase === "settled");
  text(byId("headline"), pick(view.headline));
  drawTable();
  drawScores();
  drawWin(view, first);
  drawEvents();
  drawHistory();
  drawQuestion();
  tick();
}

function drawTable() {
  const [count] = byId("wall").children;
  text(count, view.wall === null ? "–" : String(view.wall));
  sync(byId("dice"), view.dice, (value, index) => `${index}.${value}`, die);
  for (const light of byId("centre").querySelectorAll("i[data-seat]")) {
    light.classList.toggle("turn", view.seats[light.dataset.seat].turn);
  }
  seats.forEach((element, seat) => drawSeat(element, view.seats[seat]));
}

function drawSeat(element, seat) {
  const who = pick(seat.who);
  element.classList.toggle("turn", seat.turn);
  element.classList.toggle("is-dealer", seat.dealer);
  element.classList.toggle("is-ready", seat.ready);
  const told = [pick(seat.wind), who, seat.turn ? say("turn") : ""];
  element.setAttribute("aria-label", told.filter(Boolean).join(", "));
  const find = (name) => element.querySelector(name);
  text(find(".wind"), pick(seat.wind).slice(0, 1));
  find(".wind").title = pick(seat.wind);
  text(find(".name"), who);
  find(".name").title = who;
  setChange(find(".change"), seat.change);
  find(".change").hidden = seat.change === 0;
  text(find(".score"), String(seat.score).replace("-", "−"));
  const river = find(".river");
  river.setAttribute("aria-label", say("river", { who }));
  tiles(river, seat.river);
  [...river.children].forEach((image, index) =>
    image.classList.toggle("last", seat.last && index === seat.river.length - 1),
  );
  find(".melds").setAttribute("aria-label", say("melds", { who }));
  sync(find(".melds"), seat.melds, (_, index) => index, () => make("div", "meld"), (meld, each) => {
    meld.title = pick(each.name);
    tiles(meld, each.tiles);
  });
  drawHand(find(".hand"), seat, who);
}

function drawHand(element, seat, who) {
  if (seat.shown === null) {
    element.setAttribute("aria-hidden", "true"); // only where the hand stands, not what it is
    const standing = Array.from({ length: Math.max(0, seat.holds) }, (_, index) => index);
    sync(element, standing, (index) => `s${index}`, () => make("i", "standing"), (tileEdge, index) =>
      tileEdge.classList.toggle("drawn", seat.holds % 3 === 2 && index === seat.holds - 1),
    );
    return;
  }
  element.removeAttribute("aria-hidden");
  element.setAttribute("aria-label", say("shown", { who }));
  const names = [...seat.shown, seat.winning];
  sync(element, names, (_, index) => `t${index}`, (name) => tile(name), (image, name, index) => {
    setTile(image, name);
    image.classList.toggle("winning", index === names.length - 1);
  });
}

function drawScores() {
  const lines = view.seats.map((seat, index) => ({ ...seat, index }));
  sync(byId("scores").querySelector("ol"), lines, (seat) => seat.index, newScore, (li, seat) => {
    const [name, score, change, place] = li.children;
    li.classList.toggle("first", seat.place === 1);
    text(place, seat.rank === null ? "" : pick(seat.rank));
    text(name, pick(seat.who));
    name.title = pick(seat.who);
    text(score, String(seat.score).replace("-", "−"));
    setChange(change, seat.change);
    change.title = say("last_hand");
  });
}

function newScore() {
  const li = make("li");
  li.append(make("span", "name"), make("b", "num"), make("span", "num change"), make("span", "place"));
  return li;
}

function drawEvents() {
  const panel = byId("events");
  const line = () => make("li");
  sync(byId("notices"), view.notices, (_, index) => index, line, text);
  sync(panel.querySelector("ol"), view.events, (event) => event.seq, newEvent, drawEvent);
  panel.querySelector(".empty").hidden = view.events.length > 0;
}

function newEvent(event) {
  const li = make("li");
  const what = make("div", "what");
  what.append(make("span", "text"), make("span", "tiles"), make("span", "mark"));
  const undo = make("button", "undo");
  undo.type = "button";
  undo.addEventListener("click", () => takeBack(event.seq));
  li.append(make("time"), what, undo);
  return li;
}

function drawEvent(li, event) {
  const [time, what, undo] = li.children;
  const [words, drawn, mark] = what.children;
  const when = new Date(event.t * 1000);
  text(time, when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }));
  time.dateTime = when.toISOString();
  time.title = `${when.toLocaleTimeString("en-GB")}, ${pick(event.source)}`;
  text(words, pick(event.text));
  tiles(drawn, event.tiles);
  drawn.hidden = event.tiles.length === 0;
  text(mark, say("doubtful"));
  mark.hidden = !event.doubtful;
  const isArmed = armed === event.seq;
  undo.hidden = !event.undo;
  undo.classList.toggle("armed", isArmed);
  text(undo, isArmed ? say("take_back_sure") : "↶");
  undo.title = say("take_back");
  undo.setAttribute("aria-label", `${say(isArmed ? "take_back_sure" : "take_back")} ${pick(event.text)}`);
}

function drawHistory() {
  const panel = byId("history");
  const names = ["#", ...view.seats.map((seat) => pick(seat.who))];
  sync(panel.querySelector("thead tr"), names, (_, index) => index, () => make("th"), (th, name) => {
    text(th, name);
    th.scope = "col";
    th.title = name;
  });
  sync(panel.querySelector("tbody"), view.history, (hand) => hand.hand, newHand, (row, hand) => {
    text(row.firstChild, String(hand.hand));
    hand.transfers.forEach((points, seat) => {
      const [change, after] = row.children[seat + 1].children;
      setChange(change, points);
      text(after, String(hand.scores[seat]).replace("-", "−"));
    });
  });
  panel.querySelector("table").hidden = view.history.length === 0;
  panel.querySelector(".empty").hidden = view.history.length > 0;
}

function newHand() {
  const row = make("tr");
  const number = make("th");
  number.scope = "row";
  row.append(number);
  for (let seat = 0; seat < 4; seat += 1) {
    const cell = make("td");
    cell.append(make("span"), make("small"));
    row.append(cell);
  }
  return row;
}

// --- questions

function drawQuestion() {
  const card = byId("asked");
  const [top, words, choices] = card.children;
  const question = view.questions[0];
  card.hidden = question === undefined;
  document.body.classList.toggle("asked", question !== undefined);
  if (question === undefined) {
    sending = null;
    choices.replaceChildren();
    return;
  }
  if (card.dataset.question !== question.id) {
    card.dataset.question = question.id;
    sending = null;
    tell("");
  }
  const several = view.questions.length;
  text(top.firstChild, several > 1 ? say("question_of", { n: several }) : say("question"));
  text(words, pick(question.text));
  sync(choices, question.choices, (choice) => `${question.id} ${choice.answer}`, newChoice, (button, choice) => {
    text(button.lastChild, pick(choice.label));
    if (choice.tile) setTile(button.firstChild, choice.tile);
    button.disabled = sending === question.id;
  });
}

function newChoice(choice) {
  const question = view.questions[0].id;
  const button = make("button");
  button.type = "button";
  if (choice.tile) button.append(tile(choice.tile), make("small"));
  else button.append(make("span"));
  button.addEventListener("click", () => answer(question, choice.answer));
  return button;
}

function tell(sentence, isAlarm = false) {
  const problem = byId("asked").querySelector(".problem");
  text(problem, sentence);
  problem.classList.toggle("alarm", isAlarm);
}

async function answer(question, choice) {
  sending = question;
  tell(say("sending"));
  drawQuestion();
  const refused = await send("/api/answer", { question, answer: choice });
  if (refused === null) return; // the stream takes the question away
  sending = null;
  tell(refused, true);
  drawQuestion();
}

async function takeBack(seq) {
  if (armed !== seq) {
    armed = seq;
    setTimeout(() => {
      if (armed === seq) armed = null;
      drawEvents();
    }, ARMED_MS);
    return drawEvents();
  }
  armed = null;
  drawEvents();
  const refused = await send("/api/undo", { seq });
  if (refused !== null) alarm = { sentence: refused, until: performance.now() + 8000 };
  return tick();
}

// Sends a command; null when it was accepted, else the sentence why not.
async function send(path, command) {
  try {
    const reply = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Table-Token": token },
      body: JSON.stringify(command),
    });
    return reply.ok ? null : (await reply.json()).error;
  } catch {
    return say("not_sent");
  }
}

// --- health and ages, told anew several times a second

let alarm = { sentence: "", until: 0 };

function tick() {
  const now = Date.now() / 1000 + clock;
  const lost = isLost();
  document.body.classList.toggle("lost", lost && view !== null);
  if (view !== null) {
    sync(byId("health"), view.health, (source) => source.name, newSource, (li, source) =>
      drawSource(li.firstChild, source, now, lost),
    );
  }
  drawLine(lost, now);
}

function newSource(source) {
  const li = make("li");
  const chip = make(source.name === "camera" ? "button" : "div", "source");
  if (source.name === "camera") {
    chip.type = "button";
    chip.addEventListener("click", openPicture);
  }
  const state = make("span", "state");
  state.append(make("span", "word"), " ", make("span", "age"));
  chip.append(make("span", "dot"), make("span", "label"), state);
  li.append(chip);
  return li;
}

const ageOf = (source, now) => Math.max(0, now - source.last_t);

function statusOf(source, now) {
  const quiet = source.name !== "log" && source.last_t !== null && ageOf(source, now) > OLD_S;
  return source.status === "live" && quiet ? "stale" : source.status;
}

function drawSource(chip, source, now, lost) {
  const status = statusOf(source, now);
  const [, label, state] = chip.children;
  chip.className = `source ${lost ? "unknown" : status}`;
  text(label, pick(source.label));
  text(state.firstChild, status === source.status ? pick(source.word) : say("stale"));
  const never = source.name === "log" ? "" : say("never"); // a log is written, not read
  text(state.lastChild, source.last_t === null ? never : age(ageOf(source, now)));
  const counted = Object.entries(source.counters).map(([name, count]) => `${name}: ${count}`);
  chip.title = [source.message, ...counted].filter(Boolean).join("\n");
}

// The second line of the header: the worst news first, else which hand this is.
function drawLine(lost, now) {
  let words = say("connecting");
  let isAlarm = false;
  if (lost && view !== null) {
    words = say("lost", { age: age(silence()) });
    isAlarm = true;
  } else if (performance.now() < alarm.until) {
    words = alarm.sentence;
    isAlarm = true;
  } else if (view !== null) {
    const bad = view.health.find((source) => source.message && source.status !== "none");
    const silent = view.health.find((source) => statusOf(source, now) !== source.status);
    isAlarm = Boolean(bad ?? silent);
    if (bad) words = bad.message;
    else if (silent) words = say("silent", { name: pick(silent.label) });
    else words = say(view.hand ? "hand" : "no_hand", { rules: pick(view.rules.name), n: view.hand });
  }
  text(byId("line"), words);
  byId("line").title = words;
  byId("line").classList.toggle("alarm", isAlarm);
}

// --- the camera's picture

const picture = byId("picture");
let showing = 0;

function openPicture() {
  const refresh = () => {
    picture.querySelector("img").src = `/api/picture.jpg?at=${Date.now()}`;
  };
  refresh();
  showing = setInterval(refresh, 2000);
  picture.showModal();
}
picture.addEventListener("close", () => clearInterval(showing));
picture.querySelector("button").addEventListener("click", () => picture.close());
for (const [name, works] of [["load", true], ["error", false]]) {
  picture.querySelector("img").addEventListener(name, ({ target }) => {
    target.hidden = !works;
    picture.querySelector(".empty").hidden = works;
  });
}

// --- language

function choose(name) {
  const chosen = setLanguage(name);
  const button = byId("language");
  text(button, say("language"));
  button.lang = chosen === "zh" ? "en" : "zh-Hans";
  draw();
  tick();
}

function remembered() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // storage is forbidden: then by the browser's own language each time
  }
}

byId("language").addEventListener("click", () => {
  const other = currentLanguage() === "zh" ? "en" : "zh";
  try {
    localStorage.setItem("language", other);
  } catch {
    // not remembered, but switched
  }
  choose(other);
});

connect();
choose(remembered() ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
setInterval(tick, 250);
