// What a game is played from and what ends it: said before its first hand, or for the next game.

import { press } from "./ask.js";
import { points, say, text } from "./draw.js";
import { now } from "./time.js";

const ARMED_MS = 5000;

const panel = document.getElementById("game");
const form = panel?.querySelector("form");
const begin = form?.querySelector("[type=submit]");

let armed = 0; // until when a second tap begins a game though another one is not over
let game = null;

form?.addEventListener("input", drawFields);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!game.fresh && now() >= armed) {
    armed = now() + ARMED_MS;
    text(begin, say("begin_sure"));
    setTimeout(drawButton, ARMED_MS + 50);
    return;
  }
  armed = 0;
  const { start, has_floor: hasFloor, floor, hands } = form.elements;
  const isBegun = await press("/api/game", {
    points: Number(start.value || 0),
    floor: hasFloor.checked ? Number(floor.value || 0) : null,
    length: Number(hands.value || 0),
  });
  if (isBegun) panel.querySelector("details").open = false;
});

export function drawGame(view) {
  if (panel === null) return;
  const was = game;
  game = view.game;
  panel.hidden = !game.may_begin;
  if (panel.hidden) return;
  const terms = game.points ? [say("start", { n: points(game.points) })] : [];
  if (view.game_over) terms.unshift(say("game_over"));
  if (game.floor !== null) terms.push(say("ends_below", { n: points(game.floor) }));
  if (game.length) terms.push(say("lasts", { n: game.length }));
  text(panel.querySelector(".terms"), terms.join(say("comma")));
  if (was === null || was.since !== game.since || was.suggested !== game.suggested) fill();
  drawFields();
  drawButton();
}

// What the rule set or the game before says, to be taken as it stands or changed.
function fill() {
  const { start, has_floor: hasFloor, floor, hands } = form.elements;
  start.value = game.suggested;
  hasFloor.checked = game.floor !== null;
  floor.value = game.floor ?? 0;
  hands.value = game.length || "";
}

function drawFields() {
  form.elements.floor.disabled = !form.elements.has_floor.checked;
}

function drawButton() {
  if (now() >= armed) text(begin, say(game.fresh ? "begin_so" : "begin_anew"));
}
