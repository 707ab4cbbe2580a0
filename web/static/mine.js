// A player's own page: the own standing, what it may do now, what it gets or owes.

import { drawAccept } from "./accept.js";
import { send } from "./ask.js";
import { pick, points, say, setChange, text, tiles } from "./draw.js";
import { get } from "./net.js";
import { fetched } from "./part.js";
import { drop, keep, kept } from "./photo_wait.js"; // here already when the network is not
import { session } from "./store.js";
import { now, pause } from "./time.js";

const ARMED_MS = 5000;
const AGAIN_MS = 2000;
const CALLS = { chow: "call_chow", pung: "call_pung", kong: "call_kong", win: "call_win" };

const panel = document.getElementById("mine");
const own = Number(document.body.dataset.own);

let armed = 0; // until when a second tap declares the win
let game = null; // what it is played from and to

if (panel !== null) {
  panel.querySelector(".win").addEventListener("click", declareWin);
  panel.querySelector(".tell").addEventListener("click", tellTreasure);
  panel.querySelector(".pass").addEventListener("click", () => press("/api/pass"));
  panel.querySelector(".ready").addEventListener("click", () => press("/api/ready"));
  panel.querySelector(".object").addEventListener("click", () => press("/api/object"));
  panel.querySelector(".next-game").addEventListener("click", beginNext);
  panel.querySelector(".won input").addEventListener("change", photographed);
  kept().then((all) => all.some(({ isShrunk }) => !isShrunk) && goOn()); // taken as the page went
}

// The picture waits on the phone until the page that reads it can be had.
async function photographed({ target }) {
  for (const { number } of await kept()) drop(number); // of a hand before, that never arrived
  session.drop("telling");
  if ((await keep(target.files[0])) === undefined) session.set("photo_lost", "yes");
  return goOn();
}

async function goOn() {
  while (!(await isReached())) {
    text(panel.querySelector(".problem"), say("photo_waiting"));
    await pause(AGAIN_MS);
  }
  return location.assign("/photo");
}

const isReached = async () => (await get("/api/me")) !== null;

// The next game is played as the one before.
function beginNext() {
  press("/api/game", { points: game.suggested, floor: game.floor, length: game.length });
}

export function drawMine(view) {
  if (panel === null) return;
  game = view.game;
  const seat = view.seats[own];
  const find = (name) => panel.querySelector(name);
  panel.classList.toggle("turn", seat.turn);
  text(find(".wind"), pick(seat.wind).slice(0, 1));
  text(find(".name"), pick(seat.who));
  text(find(".points"), points(seat.score));
  text(find(".rank"), seat.rank === null ? "" : pick(seat.rank));
  const moved = view.settlement?.transfers[own] ?? seat.change;
  setChange(find(".change"), moved);
  find(".change").hidden = moved === 0;
  text(find(".told"), told(view, seat, moved));
  const running = view.phase === "playing" || view.phase === "showing";
  find(".win").disabled = !running || seat.declared;
  if (!running) armed = 0; // the first tap of one hand is none of the next
  label();
  find(".ready").disabled = view.phase !== "playing" || seat.ready;
  find(".ready").hidden = !view.rules.ready;
  text(find(".ready span"), view.rules.ready ? pick(view.rules.ready) : "");
  find(".pass").hidden = view.may_pass !== own;
  // Where no camera is, a win is photographed; where one is that sees nothing now, it may be.
  const { unfollowed } = view;
  const isBlind = view.health.some(({ name, status }) => name === "camera" && status !== "live");
  find(".keys").hidden = unfollowed;
  const lays = view.act === "show_hands" && view.act_by.includes(own);
  const isOver = view.game_over && view.game.may_begin;
  find(".next-game").hidden = !(unfollowed && isOver);
  find(".told-evening").hidden = !isOver;
  find(".won").hidden = isOver || !(unfollowed || (isBlind && running)) || (view.phase === "showing" && view.verdicts.some((verdict) => verdict.seat === own) && !lays);
  text(find(".won span"), say(lays ? "lay_down_photo" : "i_win_photo"));
  find(".object").hidden = view.phase !== "showing" || view.verdicts.length === 0;
  drawBirds(find(".turn-birds"), view);
  drawAccept(view);
  // The big button is the next step: a second win of the same hand is rare.
  find(".won").classList.toggle("quiet", view.phase === "showing" && !lays && !view.act_by.includes(own));
  drawTreasure(view, seat);
}

// Whoever has the birds before the eyes tells them: the winner's phone may be gone.
function drawBirds(link, view) {
  const left = view.settlement?.birds?.reduce((most, each) => Math.max(most, each.due - each.turned.length), 0) ?? 0;
  link.hidden = !view.unfollowed || view.act !== "turn_birds" || left === 0;
  text(link, say("tell_birds", { n: left }));
}

// Whoever looked at the treasure may say which it was; who knows it sees it while pressing on it.
function drawTreasure(view, seat) {
  const known = view.treasure?.tiles ?? [];
  const [tell, peek] = panel.querySelectorAll(".tell, .peek");
  const running = view.phase === "playing" || view.phase === "showing"; // it may have left the wall
  tell.hidden = !(seat.ready && view.treasure?.set && known.length === 0 && running);
  peek.hidden = known.length === 0;
  tiles(peek.firstElementChild, known);
}

async function tellTreasure() {
  const { pickTile } = await fetched("./picker.js");
  pickTile({
    title: say("which_treasure"),
    button: say("tell_it"),
    from: null,
    preview: async () => ({ lines: [say("only_ready_know")], refused: false }),
    accept: (tile) => send("/api/treasure", { seat: own, tile }),
  });
}

// The one thing that matters to this player now.
function told(view, seat, moved) {
  if (view.settlement !== null && moved) {
    return say(moved > 0 ? "you_get" : "you_owe", { n: Math.abs(moved) });
  }
  const calls = view.claims?.calls[own] ?? [];
  if (calls.length) return say("you_may", { calls: calls.map((call) => say(CALLS[call])).join(say("or")) });
  if (seat.turn && view.phase === "playing") return say(seat.drew ? "you_discard" : "your_turn");
  return seat.ready ? say("you_are_ready", { ready: pick(view.rules.ready) }) : "";
}

function declareWin() {
  if (now() < armed) {
    armed = 0;
    label();
    press("/api/win");
    return;
  }
  armed = now() + ARMED_MS;
  label();
  setTimeout(label, ARMED_MS + 50);
}

function label() {
  text(panel.querySelector(".win span"), say(now() < armed ? "i_win_sure" : "i_win"));
}

async function press(path, body = { seat: own }) {
  const problem = panel.querySelector(".problem");
  text(problem, "");
  const refused = await send(path, body);
  text(problem, refused ?? "");
  problem.classList.toggle("alarm", refused !== null);
}
