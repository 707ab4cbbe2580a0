// A phone that scanned a code: it asks, waits for a person on the other side, and comes in.

import { send } from "./ask.js";
import { say, text } from "./draw.js";
import { get } from "./net.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 1000;

const panel = document.getElementById("pair");
const form = panel.querySelector("form");
const told = panel.querySelector(".told");
const number = panel.querySelector(".number");

followSwitches(() => {});
form.querySelector("input").value = decodeURIComponent(location.hash.slice(1)); // said on the page before
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  form.querySelector("button").disabled = true;
  const name = form.querySelector("input").value.trim();
  const refused = await send("/api/pair/ask", { code: panel.dataset.code, name });
  if (refused !== null) {
    form.querySelector("button").disabled = false;
    return text(told, refused);
  }
  form.hidden = true;
  return look();
});
form.querySelector("button").disabled = false; // a tap before this would send the form nowhere

async function look() {
  const state = (await get("/api/pair/state")) ?? { state: "waiting" }; // the line may be gone for a moment
  if (state.number) text(number, state.number);
  if (state.state === "allowed") return enter();
  text(told, say(`pair_${state.state}`));
  number.hidden = state.state !== "waiting";
  if (state.state === "waiting") setTimeout(look, LOOK_MS);
  return undefined;
}

async function enter() {
  const refused = await send("/api/pair/enter", {});
  if (refused === null) location.replace("/");
  else text(told, refused);
}
