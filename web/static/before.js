// What only people know before a deal: who deals where no dice say it, and what is staked.

import { press } from "./ask.js";
import { make, pick, pressable, say, sync, text } from "./draw.js";

const panel = document.getElementById("before");
const words = panel?.querySelector(".words");
const dealers = panel?.querySelector(".seats");
const stakes = panel?.querySelector("form");
const seating = document.getElementById("seating");

stakes?.addEventListener("submit", (event) => {
  event.preventDefault();
  const challenges = [...stakes.querySelectorAll("[type=number]")].map(({ value }) => Number(value || 0));
  press("/api/antes", { double_down: stakes.elements.double_down.checked, challenges });
});

seating?.addEventListener("submit", (event) => {
  event.preventDefault();
  const [east, players] = [seating.elements.east, seating.querySelectorAll(".stakes select")];
  press("/api/seats", { came_from: [...players].map(({ value }) => Number(value)), east: Number(east.value) });
});

export function drawBefore(view) {
  if (panel === null) return;
  const choosing = view.act === "choose_dealer";
  const staking = view.act === "place_antes";
  if (staking && (panel.hidden || stakes.hidden)) stakes.reset(); // nothing of the last hand's stays
  const seats = view.new_seats;
  panel.hidden = !choosing && !staking && !seats;
  if (panel.hidden) return;
  text(words, say(seats ? "new_seats" : choosing ? "who_deals_next" : "what_is_staked"));
  if (seats && seating.hidden) offerSeats(view.seats);
  seating.hidden = !seats;
  sync(dealers, choosing ? view.seats : [], (_, seat) => seat,
    (_, seat) => pressable("", () => press("/api/dealer", { seat })), (button, seat) => text(button, pick(seat.who)));
  stakes.hidden = !staking;
  sync(stakes.querySelector(".stakes"), view.seats, (_, seat) => seat, newStake, (label, seat) => text(label.firstChild, pick(seat.who)));
}

function newStake() {
  const input = Object.assign(make("input"), { type: "number", min: "0", max: "99", step: "1", inputMode: "numeric" });
  input.setAttribute("value", "0"); // what a reset goes back to
  return make("label", "", make("span"), input);
}

// Everybody stays where they are until somebody says otherwise.
function offerSeats(seats) {
  const places = seats.map(({ who }) => say("where_sat", { who: pick(who) }));
  seating.querySelector(".stakes").replaceChildren(
    ...places.map((place, seat) => make("label", "", make("span", "", place), choices(seats.map(({ who }) => pick(who)), seat))),
  );
  const east = choices(places, 0);
  east.name = "east";
  seating.elements.east.replaceWith(east);
}

function choices(names, chosen) {
  const select = make("select");
  for (const [value, name] of names.entries()) select.append(new Option(name, value, value === chosen, value === chosen));
  return select;
}
