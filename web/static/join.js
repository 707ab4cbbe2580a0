// A phone that comes to the table: it says who holds it and where that player sits.
//
// With the code of the table's own screen it sits down at once; else people are asked.

import { post } from "./ask.js";
import { pick, pressable, say, sync, text } from "./draw.js";
import { follow } from "./live.js";
import { followSwitches } from "./switches.js";

const panel = document.getElementById("pair");
const seats = panel.querySelector(".seats");
const name = document.getElementById("name");
const taken = new Set(seats.dataset.taken.split(" ").filter(Boolean).map(Number));
const key = location.hash.slice(1); // after a `#`, so that no address holds it
let view = null;

function draw() {
  if (view === null) return;
  sync(seats, view.seats, (_, seat) => seat, (_, seat) => pressable("main quiet", () => choose(seat)), (button, seat, at) => {
    const who = pick(seat.who);
    text(button, taken.has(at) ? say("join_taken", { who }) : who);
  });
}

async function choose(seat) {
  const said = name.value.trim();
  if (key && !taken.has(seat)) {
    const sat = await post("/api/pair/sit", { key, seat, name: said || pick(view.seats[seat].who) });
    if (!sat.error) return location.replace(`/seat/${seat}`);
    return text(panel.querySelector(".told"), sat.error);
  }
  const made = await post("/api/pair/offer", { role: "seat", seat });
  if (made.error) return text(panel.querySelector(".told"), made.error);
  return location.assign(`/pair/${made.code}#${encodeURIComponent(said)}`);
}

followSwitches(draw);
follow({
  onView(newest) {
    view = newest;
    draw();
  },
});
