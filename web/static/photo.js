// A hand photographed on the phone: read, put right, told. Nothing is recorded before it is shown.

import { post, send } from "./ask.js";
import { make, pick, say, setChange, sync, text } from "./draw.js";
import { drawHand, handOf, isWhole, pieces } from "./photo_hand.js";
import { chooseFace } from "./photo_faces.js";
import { sendPhoto, shrunk } from "./photo_send.js";

const find = (name) => document.querySelector(name);
const own = document.body.dataset.own === undefined ? null : Number(document.body.dataset.own);
const mayKeep = document.body.dataset.keeps === "yes";

const table = await (await fetch("/api/table")).json();
const { dealer: deal } = await post("/api/photos", { photos: [] });
const knownDealer = deal.seat; // null where people choose
const nobody = () => ({ concealed: [], melds: [], bonus: [], winning: null });

let hand = nobody();
let photos = [];
let told = { seat: own, discarder: undefined, dealer: knownDealer, numbers: {}, givers: {}, indicator: null };
let special = new Set();
let asked = { asks: [], worth: null };
let mode = "win"; // or "kong": melds without a win

const nameOf = (seat) => pick(table.seats[seat].who);

start();

function start() {
  find("#whose").hidden = own !== null;
  for (const input of document.querySelectorAll("#take input, #hand input")) {
    input.addEventListener("change", () => take(input));
  }
  find(".by-hand").addEventListener("click", () => begin("win"));
  find("#take .kong").addEventListener("click", () => begin("kong"));
  find(".drawn").hidden = !mayKeep;
  find(".drawn").addEventListener("click", drawn);
  find(".add").addEventListener("click", add);
  find(".again").addEventListener("click", () => location.reload());
  find("#worth .send").addEventListener("click", tell);
  startBirds();
  draw();
}

// --- pictures

async function take(input) {
  for (const file of [...input.files]) {
    problem(say("photo_reading"), false);
    const blob = await shrunk(file);
    if (blob === null) return problem(say("photo_not_opened"));
    const answer = await sendPhoto(blob, () => problem(say("photo_waiting")));
    if (answer.error) return problem(answer.error);
    photos.push(answer.id);
    const all = await post("/api/photos", { photos });
    if (all.error) return problem(all.error);
    problem("");
    hand = { ...nobody(), ...all.hand };
    drawAdvice(answer.advice);
    drawPictures();
  }
  input.value = "";
  return draw(true);
}

function drawAdvice(advice) {
  sync(find(".advice"), advice, (each) => each.trouble, () => make("li"), (li, each) => text(li, pick(each.words)));
}

function drawPictures() {
  const boxes = pieces(hand);
  sync(find(".pictures"), photos, (id) => id, (id) => {
    const figure = make("figure");
    const image = make("img");
    image.src = `/api/photo/${id}.jpg`;
    image.alt = "";
    figure.append(image);
    return figure;
  }, (figure, id) => {
    for (const mark of figure.querySelectorAll("i")) mark.remove();
    for (const each of boxes.filter((piece) => piece.photo === id)) {
      const [left, top, width, height] = each.box.map((share) => `${share * 100}%`);
      const mark = make("i", each.tile === "?" ? "unread" : "");
      Object.assign(mark.style, { left, top, width, height });
      figure.append(mark);
    }
  });
}

// --- the hand

function begin(what) {
  mode = what;
  if (mode === "kong" && hand.melds.length === 0) hand.melds.push({ kind: "kong_exposed", tiles: [], side: null });
  draw(true);
}

function add() {
  chooseFace({ tile: null, candidates: [], choose: (face) => {
    const piece = { tile: face, photo: "", box: [0, 0, 0, 0], candidates: [] };
    const empty = hand.melds.find((meld) => meld.tiles.length === 0);
    if (empty) empty.tiles.push(...Array.from({ length: 4 }, () => ({ ...piece })));
    else hand.concealed.push(piece);
    draw(true);
  } });
}

const change = () => draw(true);

function draw(isChanged = false) {
  choices(find("#whose .choices"), [0, 1, 2, 3], nameOf, () => told.seat, (seat) => {
    told.seat = seat;
    draw(pieces(hand).length > 0);
  });
  const any = pieces(hand).length > 0 || mode === "kong" || photos.length > 0;
  find("#hand").hidden = told.seat === null || !(any || isChanged);
  find("#take").hidden = told.seat === null || !find("#hand").hidden;
  if (find("#hand").hidden) return;
  drawHand(hand, table, change);
  text(find(".hint"), hint());
  drawPictures();
  drawAsks();
  if (isChanged) ask();
}

function hint() {
  const all = pieces(hand);
  if (all.some((piece) => piece.tile === "?")) return say("photo_unread");
  if (mode === "kong") return "";
  const size = hand.concealed.length + 3 * hand.melds.length;
  if (size !== 14) return say("photo_count", { n: size, few: say(size < 14 ? "photo_few" : "photo_many") });
  return hand.winning === null ? say("photo_which_won") : say("photo_tap");
}

// --- what a picture cannot show

function body() {
  const said = handOf(hand, told.seat, mode === "win");
  for (const [at, giver] of Object.entries(told.givers)) {
    while (said.claimed_from.length <= Number(at)) said.claimed_from.push(null);
    said.claimed_from[at] = giver;
  }
  said.discarder = mode === "win" ? told.discarder ?? null : null;
  said.circumstances = [...special];
  Object.assign(said, told.numbers);
  return said;
}

let asking = 0;

async function ask() {
  asking += 1;
  const turn = asking;
  if (!isWhole(hand, mode) || (mode === "win" && told.discarder === undefined) || told.dealer === null) {
    asked = { asks: [], worth: null };
    return drawAsks();
  }
  const answer = await post("/api/told", { hand: body(), dealer: told.dealer, indicator: told.indicator });
  if (turn !== asking) return undefined;
  if (answer.error) return problem(answer.error);
  problem("");
  asked = answer;
  const names = new Set(answer.asks.map((each) => each.name));
  special = new Set([...special].filter((name) => names.has(name)));
  let again = false;
  for (const each of answer.asks.filter((one) => one.choices && one.kind !== "giver")) {
    if (each.kind in told.numbers) continue;
    told.numbers[each.kind] = each.choices.find((choice) => choice.usual).value;
    again = true; // what is likeliest stands until somebody says otherwise
  }
  drawAsks();
  return again ? ask() : undefined;
}

function drawAsks() {
  const section = find("#asks");
  const items = [];
  if (isWhole(hand, mode)) {
    if (mode === "win") items.push({ key: "came" });
    if (knownDealer === null) items.push({ key: "dealer" });
    const circumstances = asked.asks.filter((each) => each.kind === "circumstance");
    if (circumstances.length) items.push({ key: "special", circumstances });
    items.push(...asked.asks.filter((each) => each.kind !== "circumstance").map((each) => ({ key: `${each.kind} ${each.name}`, each })));
  }
  section.hidden = items.length === 0;
  sync(section, items, (item) => item.key, () => {
    const ask_ = make("div", "ask");
    ask_.append(make("h2"), make("div", "choices"));
    return ask_;
  }, drawAsk);
  drawWorth();
}

function drawAsk(element, item) {
  const [title, row] = element.children;
  if (item.key === "came") {
    text(title, say("photo_came"));
    const others = [0, 1, 2, 3].filter((seat) => seat !== told.seat);
    choices(row, [null, ...others], (seat) => (seat === null ? say("photo_drew") : say("photo_from", { who: nameOf(seat) })),
      () => told.discarder, (seat) => set(() => { told.discarder = seat; special.clear(); }));
  } else if (item.key === "dealer") {
    text(title, say("photo_dealer"));
    choices(row, [0, 1, 2, 3], nameOf, () => told.dealer, (seat) => set(() => { told.dealer = seat; }));
  } else if (item.key === "special") {
    text(title, say("photo_special"));
    choices(row, item.circumstances, (each) => pick(each.words), (each) => special.has(each.name), (each) =>
      set(() => (special.has(each.name) ? special.delete(each.name) : special.add(each.name))), (each) => each.name);
  } else if (item.each.kind === "indicator") {
    text(title, pick(item.each.words));
    choices(row, [0], () => told.indicator ?? "…", () => told.indicator !== null, () =>
      chooseFace({ tile: told.indicator, candidates: [], choose: (face) => set(() => { told.indicator = face; }) }));
  } else {
    const { kind, name } = item.each;
    text(title, pick(item.each.words));
    const now = kind === "giver" ? told.givers[name] : told.numbers[kind];
    choices(row, item.each.choices, (choice) => pick(choice.words), (choice) => choice.value === now, (choice) =>
      set(() => { if (kind === "giver") told.givers[name] = choice.value; else told.numbers[kind] = choice.value; }), (choice) => choice.value);
  }
}

function set(change_) {
  change_();
  drawAsks();
  ask();
}

function choices(row, items, label, chosen, choose, key = (item) => item) {
  sync(row, items, key, () => {
    const button = make("button");
    button.type = "button";
    button.addEventListener("click", () => button.choose());
    return button;
  }, (button, item) => {
    text(button, String(label(item)));
    const now = chosen(item);
    button.setAttribute("aria-pressed", String(typeof now === "boolean" ? now : now === item));
    button.choose = () => choose(item);
  });
}

// --- what it comes to

function drawWorth() {
  const section = find("#worth");
  const { worth } = asked;
  const isKong = mode === "kong" && isWhole(hand, mode);
  section.hidden = worth === null && !isKong;
  if (section.hidden) return;
  const [title, names, refusals, moves, birds] = section.children;
  const line = () => make("li");
  text(section.querySelector(".send span"), say(isKong ? "photo_kong_send" : "photo_send"));
  section.classList.toggle("no", worth !== null && !worth.valid);
  text(title, isKong ? "" : worth.valid ? `${say("photo_comes_to")} ${worth.total}` : say("photo_no_win"));
  text(names, worth === null ? "" : worth.problem ?? pick(worth.summary ?? { en: "", zh: "" }));
  sync(refusals, worth?.refusals ?? [], (_, index) => index, line, (li, words) => text(li, pick(words)));
  sync(moves, worth?.transfers ?? [], (_, seat) => seat, () => {
    const li = make("li");
    li.append(make("span"), make("b"));
    return li;
  }, (li, moved, seat) => {
    text(li.firstChild, nameOf(seat));
    setChange(li.lastChild, moved);
  });
  text(birds, worth?.birds ? say("photo_birds_follow") : "");
  const open = asked.asks.some((each) => (each.kind === "giver" && told.givers[each.name] === undefined)
    || (each.kind === "indicator" && told.indicator === null));
  section.querySelector(".send").disabled = open;
}

async function tell() {
  const button = find("#worth .send");
  button.disabled = true;
  const dealer = knownDealer === null ? told.dealer : null;
  const refused = await send("/api/tell", { hand: body(), dealer, indicator: told.indicator, photos });
  button.disabled = false;
  if (refused !== null) return text(find("#worth .problem"), refused);
  if (mode === "win" && asked.worth?.birds && asked.worth.valid) return location.reload();
  location.href = "/";
  return undefined;
}

// --- birds, and hands that nobody won

function startBirds() {
  const due = table.settlement?.birds?.[0];
  const left = due ? due.due - due.turned.length : 0;
  const section = find("#birds");
  section.hidden = left <= 0 || table.phase !== "showing";
  if (section.hidden) return;
  find("#take").classList.add("later");
  const turned = [];
  const show = () => {
    drawHand({ ...nobody(), concealed: turned }, table, show, section.querySelector(".laid"));
    if (turned.length < left) {
      const plus = make("button", "quiet", "+");
      plus.type = "button";
      plus.dataset.key = "plus";
      plus.addEventListener("click", () => chooseFace({ tile: null, candidates: [], choose: (face) => {
        turned.push({ tile: face, photo: "", box: [0, 0, 0, 0], candidates: [] });
        show();
      } }));
      section.querySelector(".laid").append(plus);
    }
    section.querySelector(".send").disabled = turned.length === 0 || turned.some((each) => each.tile === "?");
  };
  section.querySelector("input").addEventListener("change", async (event) => {
    const blob = event.target.files[0] ? await shrunk(event.target.files[0]) : null;
    if (blob === null) return problem(say("photo_not_opened"));
    const answer = await sendPhoto(blob, () => problem(say("photo_waiting")));
    if (answer.error) return problem(answer.error);
    turned.splice(0, turned.length, ...pieces({ ...nobody(), ...answer.hand }).slice(0, left));
    return show();
  });
  section.querySelector(".send").addEventListener("click", async () => {
    const refused = await send("/api/birds", { tiles: turned.map((each) => each.tile) });
    if (refused !== null) return problem(refused);
    location.href = "/";
    return undefined;
  });
  show();
}

async function drawn() {
  const section = find("#asks");
  section.hidden = false;
  let last = null;
  let dealer = knownDealer;
  const show = () => {
    const items = [{ key: "last" }, ...(knownDealer === null ? [{ key: "deals" }] : [])];
    sync(section, items, (item) => item.key, () => {
      const element = make("div", "ask");
      element.append(make("h2"), make("div", "choices"));
      return element;
    }, (element, item) => {
      const isLast = item.key === "last";
      text(element.firstChild, say(isLast ? "photo_last" : "photo_dealer"));
      choices(element.lastChild, [0, 1, 2, 3], nameOf, () => (isLast ? last : dealer), (seat) => {
        if (isLast) last = seat;
        else dealer = seat;
        show();
      });
    });
    const button = make("button", "main send", say("photo_draw_send"));
    button.type = "button";
    button.dataset.key = "end";
    button.disabled = last === null || dealer === null;
    button.addEventListener("click", async () => {
      const refused = await send("/api/draw", { last_drawer: last, dealer: knownDealer === null ? dealer : null });
      if (refused !== null) return problem(refused);
      location.href = "/";
      return undefined;
    });
    section.append(button);
  };
  show();
}

function problem(sentence, isAlarm = true) {
  text(find("#problem"), sentence);
  find("#problem").classList.toggle("alarm", isAlarm);
}
