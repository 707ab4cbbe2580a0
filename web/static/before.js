// What only people know before a deal: who deals where no dice say it, and what is staked.

import { send } from "./ask.js";
import { make, pick, say, sync, text } from "./draw.js";
import { complain } from "./health.js";

const panel = document.getElementById("before");
const words = panel?.querySelector(".words");
const dealers = panel?.querySelector(".seats");
const stakes = panel?.querySelector("form");

stakes?.addEventListener("submit", (event) => {
  event.preventDefault();
  const challenges = [...stakes.querySelectorAll("[type=number]")].map(({ value }) => Number(value || 0));
  press("/api/antes", { double_down: stakes.elements.double_down.checked, challenges });
});

export function drawBefore(view) {
  if (panel === null) return;
  const choosing = view.act === "choose_dealer";
  const staking = view.act === "place_antes";
  if (staking && (panel.hidden || stakes.hidden)) stakes.reset(); // nothing of the last hand's stays
  panel.hidden = !choosing && !staking;
  if (panel.hidden) return;
  text(words, say(choosing ? "who_deals_next" : "what_is_staked"));
  sync(dealers, choosing ? view.seats : [], (_, seat) => seat, newDealer, (button, seat) => text(button, pick(seat.who)));
  stakes.hidden = !staking;
  sync(stakes.querySelector(".stakes"), view.seats, (_, seat) => seat, newStake, (label, seat) => text(label.firstChild, pick(seat.who)));
}

function newDealer(_, seat) {
  const button = make("button");
  button.type = "button";
  button.addEventListener("click", () => press("/api/dealer", { seat }));
  return button;
}

function newStake() {
  const label = make("label");
  const input = make("input");
  Object.assign(input, { type: "number", min: "0", max: "99", step: "1", inputMode: "numeric" });
  input.setAttribute("value", "0"); // what a reset goes back to
  label.append(make("span"), input);
  return label;
}

async function press(where, command) {
  const refused = await send(where, command);
  if (refused !== null) complain(refused);
}
