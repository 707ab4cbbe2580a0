// A phone that scanned the television: it says whose it is, and asks to be let in.

import { post } from "./ask.js";
import { make, pick, sync, text } from "./draw.js";
import { follow } from "./live.js";
import { followSwitches } from "./switches.js";

const panel = document.getElementById("pair");
const seats = panel.querySelector(".seats");
let view = null;

function draw() {
  if (view === null) return;
  sync(seats, view.seats, (_, seat) => seat, newSeat, (button, seat) => text(button, pick(seat.who)));
}

function newSeat(_, seat) {
  const button = make("button", "main quiet");
  button.type = "button";
  button.addEventListener("click", () => choose(seat));
  return button;
}

async function choose(seat) {
  const made = await post("/api/pair/offer", { role: "seat", seat });
  if (made.error) text(panel.querySelector(".told"), made.error);
  else location.assign(`/pair/${made.code}`);
}

followSwitches(draw);
follow({
  onView(newest) {
    view = newest;
    draw();
  },
});
