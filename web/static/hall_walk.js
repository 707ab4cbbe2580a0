// What is next at the desk, as its one green button: it opens the part in which that is done.

import { say, text } from "./draw.js";
import { plannedRounds } from "./hall_draw.js";
import { running } from "./hall_rounds.js";

const button = document.getElementById("next");
let due = null;

export function followWalk() {
  button?.addEventListener("click", () => {
    const part = document.querySelector(`[data-part=${due.part}]`);
    part.open = true;
    part.scrollIntoView({ block: "start" });
    const field = due.part === "draw" && due.n ? "#planned button" : "form :is(input, select, textarea), button:not([hidden])";
    part.querySelector(field)?.focus({ preventScroll: true });
  });
}

export function drawWalk(desk, session) {
  if (button === null) return;
  due = dueNow(desk, desk.sessions.find((each) => each.id === session));
  button.hidden = due === null;
  if (due !== null) text(button, say(`walk_${due.key}`, due));
}

function dueNow({ waiting, tables, players, sessions }, session) {
  if (waiting > 0 || tables.length === 0) return { key: "tables", part: "tables" };
  if (players.length === 0) return { key: "players", part: "players" };
  if (sessions.length === 0) return { key: "session", part: "sessions" };
  if (running() === null || plannedRounds() === null) return null; // it comes
  const unseated = plannedRounds().filter((each) => !each.seated).map((each) => each.round);
  if (running() > 0) return { key: "end", part: "rounds", n: running() };
  if (unseated.length) return { key: "seat", part: "draw", n: Math.min(...unseated) };
  if (plannedRounds().length === 0) return { key: "draw", part: "draw" };
  return session?.public === false ? { key: "publish", part: "sessions" } : null;
}
