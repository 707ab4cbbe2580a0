// A hand photographed on the phone: read, put right, told. Nothing is recorded before it is shown;
// on the page that only tells what a hand is worth, nothing ever is.

import { post, send } from "./ask.js";
import { pick, say, text } from "./draw.js";
import { choices } from "./choices.js";
import { get } from "./net.js";
import { fetched } from "./part.js";
import { drawAsks, mayRush } from "./photo_asks.js";
import { keepFaces } from "./photo_faces.js";
import { drawHand, handOf, isWhole, newTile, nobody, pieces, sizeOf } from "./photo_hand.js";
import { forget, recall, remember } from "./photo_memory.js";
import { drawPictures, followPictures, waitForNone } from "./photo_take.js";
import { drawWorth } from "./photo_worth.js";
import { session } from "./store.js";
import { followSwitches } from "./switches.js";
import { pause } from "./time.js";

const HAND = 14;
const AGAIN_MS = 2000;
const WAITING = 13;
const TWO_HANDS = 20;
const SAID_IN = { giver: "givers", egg: "eggs", undoes: "undoes" }; // what must be answered
const BROKEN = "broken ";
const CHASED = "chased";
const TOLD = "photo_told"; // this page's hand was told, and its birds are to follow
const find = (name) => document.querySelector(name);
const { own, keeps, view } = document.body.dataset;
const [table, { dealer: deal, faces }] = await begun();
const seat = own === undefined ? null : Number(own);

// mode: "win"; "laid" for a hand that has not won and counts; "kong" for melds without a win;
// "dealt" for a dealt hand that scores.
const page = {
  table,
  deal, // who deals, and whether that is asked
  isPrivate: view === "worth",
  nameOf: (number) => pick(table.seats[number].who),
  hand: nobody(),
  pictures: [],
  photos: [],
  mode: "win",
  told: { seat, discarder: undefined, dealer: deal.seat, numbers: {}, givers: {}, eggs: {}, undoes: {}, indicator: null, noneTurned: false, antes: null },
  special: new Set(),
  asked_before: new Set(),
  asked: { asks: [], worth: null },
};

keepFaces(faces);
await recall(page);
start();

// What the page stands on; where the network is away, as soon as it is back.
async function begun() {
  for (;;) {
    const answers = [get("/api/table"), post("/api/photos", { photos: [] })];
    const [now, none] = await Promise.all(answers);
    if (now !== null && !none.error) return [now, none];
    problem(none.error ?? say("photo_waiting"));
    await pause(AGAIN_MS);
  }
}

async function start() {
  problem("");
  followSwitches(draw);
  followPictures(page, changed, problem);
  find("#take .by-hand").addEventListener("click", () => waitForNone(problem) && tapTiles());
  find("#hand .add").addEventListener("click", tapTiles);
  find("#hand .again").addEventListener("click", () => {
    forget();
    location.reload();
  });
  if (!page.isPrivate) await startTelling();
  if (page.isBegun) changed();
  else draw();
  if (session.get("photo_lost") !== null) problem(say("photo_not_kept"));
  session.drop("photo_lost");
}

async function startTelling() {
  const isTold = session.get(TOLD) !== null;
  session.drop(TOLD);
  if (seat !== null && !page.isBegun) take(seat);
  find("#take .kong").addEventListener("click", beginKong);
  find("#take .else").hidden = seat === null;
  find("#take .else").addEventListener("click", () => {
    page.isAnybody = true;
    draw();
  });
  find("#take .dealt").hidden = !table.rules.opening;
  find("#take .dealt").addEventListener("click", () => begin("dealt"));
  find("#take .drawn").hidden = keeps === undefined && !table.unfollowed;
  find("#take .drawn").addEventListener("click", async () => (await fetched("./photo_drawn.js")).tellDraw(page, problem));
  find("#worth .send").addEventListener("click", tell);
  find("#worth .check").addEventListener("click", () => find("#hand").scrollIntoView({ behavior: "smooth" }));
  if (table.phase === "showing" && table.settlement?.birds?.some((each) => each.due > each.turned.length)) {
    (await fetched("./photo_birds.js")).tellBirds(page, problem);
  } else if (isTold) location.assign("/"); // somebody else was quicker
}

// --- the hand

function begin(mode) {
  page.mode = mode;
  page.isBegun = true;
  changed();
}

// Whose hand it is decides whether it has won, or is laid down after another's win.
function take(number) {
  page.told.seat = number;
  if (page.told.discarder === number) page.told.discarder = undefined;
  if (!page.isPrivate) page.mode = deal.to_lay_down.includes(number) ? "laid" : "win";
  const how = find("#take .how");
  how.dataset.say = page.mode === "laid" ? "photo_lay_down" : "photo_how";
  text(how, say(how.dataset.say));
}

// What the seat has laid already stands there: one more is added to it.
function beginKong() {
  page.hand.melds = table.seats[page.told.seat].melds.map(({ kind, tiles }) => ({
    kind, tiles: tiles.map((name) => newTile(name)), side: null,
  }));
  page.hand.melds.push({ kind: "kong_exposed", tiles: [], side: null });
  begin("kong");
  tapTiles();
}

async function tapTiles() {
  const { openKeyboard } = await fetched("./photo_pad.js");
  page.isBegun = true;
  openKeyboard(page.hand, page.mode === "win" || page.mode === "laid", () => {
    if (sizeOf(page.hand) >= HAND) find("#pad").hidden = true; // all are there
    changed();
  });
  draw();
}

function changed() {
  remember(page);
  if (page.pictures.length || pieces(page.hand).length) page.isBegun = true;
  if (page.mode !== "win") page.hand.winning = undefined; // no tile of it won
  if (page.hand.rush && !mayRush(page)) {
    page.hand.rush = false;
    page.told.discarder = undefined;
    page.special.delete("treasure_rush");
  }
  draw();
  ask();
}

function draw() {
  choices(find("#whose .choices"), [0, 1, 2, 3], {
    label: page.nameOf,
    chosen: (number) => page.told.seat === number,
    choose: (number) => {
      take(number);
      changed();
    },
  });
  const isBegun = page.isBegun && page.told.seat !== null;
  find("#whose").hidden = seat !== null && !page.isAnybody;
  find("#hand").hidden = !isBegun;
  find("#take").hidden = isBegun || page.told.seat === null;
  if (isBegun) {
    drawHand(page.hand, table, changed);
    drawPictures(page);
    text(find(".hint"), hint());
  }
  drawAsks(page, set);
  drawEnd();
}

function set(change) {
  change();
  changed();
}

function hint() {
  const size = sizeOf(page.hand);
  if (page.mode === "kong") return "";
  if (size >= TWO_HANDS) return say("photo_two_hands", { n: size });
  const right = page.mode === "win" ? HAND : WAITING; // a dealer's dealt hand has one more
  if (pieces(page.hand).length === 0 && !page.hand.others.length) return say("photo_begin", { right });
  if (size < right && page.hand.others.length) return say("photo_beside", { n: size, others: page.hand.others.length });
  const isRight = size === right || page.hand.rush || (page.isPrivate && size === WAITING) || (page.mode === "dealt" && size === HAND);
  if (!isRight) return say(size < right ? "photo_few" : "photo_many", { n: size, right });
  if (page.mode === "win" && size === HAND && page.hand.winning === null) return say("photo_which_won");
  return say("photo_tap");
}

// --- what it comes to

function body() {
  const { told } = page;
  const said = handOf(page.hand, told.seat, page.mode);
  for (const [at, giver] of Object.entries(told.givers)) {
    while (said.claimed_from.length <= Number(at)) said.claimed_from.push(null);
    said.claimed_from[at] = giver;
  }
  for (const [at, base] of Object.entries(told.eggs)) takeApart(said.melds[at], base.split(" "));
  const toggled = [...page.special];
  const broken = toggled.filter((name) => name.startsWith(BROKEN));
  said.discarder = page.mode === "win" ? told.discarder ?? null : null;
  said.circumstances = toggled.filter((name) => name !== CHASED && !broken.includes(name));
  said.broken = broken.map((name) => Number(name.slice(BROKEN.length)));
  said.chased = page.special.has(CHASED);
  said.undoes = Object.values(told.undoes).flatMap((tiles) => tiles.split(" "));
  return Object.assign(said, page.mode === "win" ? told.numbers : {});
}

// An egg told as it lies: what it was laid of, and what was put to it.
function takeApart(egg, base) {
  if (egg?.kind !== "lucky_egg") return;
  const rest = [...egg.tiles];
  if (!base.every((tile) => rest.includes(tile))) return; // it is another egg by now
  for (const tile of base) rest.splice(rest.indexOf(tile), 1);
  Object.assign(egg, { tiles: base, supplements: rest });
}

let asking = 0;

async function ask() {
  asking += 1;
  const turn = asking;
  const { told } = page;
  const isAnswered = told.dealer !== null && (page.mode === "win" ? told.discarder !== undefined : page.mode !== "dealt");
  if (page.isPrivate) {
    (await fetched("./photo_waits.js")).drawWaits(page, body);
    (await fetched("./photo_bigger.js")).drawBigger(page, body);
  }
  if (!isWhole(page.hand, page.mode) || !isAnswered) return answered({ asks: [], worth: null });
  page.isAsking = true; // what stands there is of before: it cannot be sent
  drawEnd();
  const answer = await post("/api/told", { hand: body(), dealer: told.dealer, indicator: told.indicator, antes: told.antes });
  if (turn !== asking) return undefined;
  if (answer.error) return problem(answer.error);
  problem("");
  const names = new Set(answer.asks.map((each) => each.name));
  const fresh = answer.asks.filter((each) => each.kind === "circumstance" && each.usual && !page.asked_before.has(each.name));
  page.special = new Set([...page.special, ...fresh.map((each) => each.name)].filter((name) => names.has(name)));
  for (const name of names) page.asked_before.add(name);
  if (!answer.asks.some((each) => each.kind === "undoes")) told.undoes = {};
  const unsaid = answer.asks.filter((each) => each.kind in { wall_left: 0, discard_round: 0 } && !(each.kind in told.numbers));
  for (const each of unsaid) told.numbers[each.kind] = each.choices.find((choice) => choice.usual).value;
  for (const { kind, name, choices: offered } of answer.asks) {
    if (kind === "giver") told.givers[name] ??= offered.find((choice) => choice.usual)?.value; // as it was told before
  }
  answered(answer);
  return unsaid.length || fresh.length ? ask() : undefined; // what is likeliest stands until somebody says otherwise
}

function answered(answer) {
  page.asked = answer;
  page.isAsking = false;
  drawAsks(page, set);
  drawEnd();
}

function drawEnd() {
  const section = find("#worth");
  const { worth, asks } = page.asked;
  const isSaid = page.mode !== "win" && isWhole(page.hand, page.mode) && page.told.dealer !== null;
  section.hidden = worth === null && !isSaid;
  const isOpenYet = asks.some(isOpen); // while an answer is missing nobody can say that it is no win
  drawWorth(section, worth, page.nameOf, isOpenYet);
  const button = section.querySelector(".send");
  if (button === null) return;
  const isNone = worth !== null && !worth.valid && !isOpenYet; // then the tiles are looked at first
  section.querySelector(".check").hidden = !isNone;
  button.classList.toggle("quiet", isNone);
  button.classList.toggle("main", !isNone);
  text(button.firstElementChild, say(isNone ? "photo_send_anyway" : isSaid ? "photo_record" : "photo_send"));
  button.disabled = page.isAsking || isOpenYet;
}

function isOpen({ kind, name, optional }) {
  if (kind === "indicator") return page.told.indicator === null && !(optional && page.told.noneTurned);
  return kind in SAID_IN && page.told[SAID_IN[kind]][name] === undefined;
}

async function tell() {
  const button = find("#worth .send");
  button.disabled = true;
  const { told, photos } = page;
  const dealer = deal.asked ? told.dealer : null;
  const refused = page.mode === "dealt"
    ? await send("/api/opening", { seat: told.seat, tiles: page.hand.concealed.map((piece) => piece.tile), dealer })
    : await send("/api/tell", { hand: body(), dealer, indicator: told.indicator, photos, antes: told.antes });
  button.disabled = false;
  if (refused !== null) return problem(refused);
  forget();
  if (page.mode === "win" && page.asked.worth?.birds && page.asked.worth.valid) {
    session.set(TOLD, "1");
    return location.reload();
  }
  return location.assign("/");
}

function problem(sentence, isAlarm = true) {
  text(find("#problem"), sentence);
  find("#problem").classList.toggle("alarm", isAlarm);
}
