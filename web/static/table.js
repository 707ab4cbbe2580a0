// The page: draws each view that the stream brings.

import { drawQuestion, send } from "./ask.js";
import {
  currentLanguage, die, make, pick, say, setChange, setLanguage, setTile, sync, text, tile, tiles,
} from "./draw.js";
import { complain, drawHealth } from "./health.js";
import { drawKeys } from "./keys.js";
import { follow } from "./live.js";
import { drawWin } from "./win.js";

const TICK_MS = 250;
const ARMED_MS = 5000;

const byId = (id) => document.getElementById(id);
const seats = [...document.querySelectorAll(".seat")];

let view = null; // the last whole view; its health is replaced between
let armed = null; // the entry whose "take back" was tapped once

const tick = () => {
  drawHealth(view);
  if (view !== null) drawKeys(view);
};

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
  drawQuestion(view);
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
  if (refused !== null) complain(refused);
  return tick();
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

follow({
  onView(newest) {
    const first = view === null;
    view = newest;
    draw(first);
  },
  onHealth(newest) {
    if (view !== null) Object.assign(view, newest);
    tick();
  },
  onTime: tick,
});
choose(remembered() ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
setInterval(tick, TICK_MS);
