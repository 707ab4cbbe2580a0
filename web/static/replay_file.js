// An evening in one file: each hand is its first view and what changed from step to step.

import { currentLanguage, make, pick, say, setFaces, setLanguage, sync, text } from "./draw.js";
import { drawFelt } from "./felt.js";

const evening = JSON.parse(document.getElementById("evening").textContent);
const slider = document.querySelector(".steps input");
const switcher = document.getElementById("language");

let played = evening.hands[0];
let views = viewsOf(played);

function viewsOf({ steps }) {
  let view = { seats: [{}, {}, {}, {}] };
  return steps.map((changed) => {
    const seats = view.seats.map((seat, number) => ({ ...seat, ...changed.seats?.[number] }));
    view = { ...view, ...changed, seats };
    return view;
  });
}

function open(hand) {
  played = hand;
  views = viewsOf(hand);
  slider.max = views.length;
  drawStep(1);
}

function drawStep(step) {
  slider.value = Math.min(Math.max(1, step), views.length);
  const view = views[slider.value - 1];
  drawFelt(view);
  const said = document.querySelector(".said");
  const when = make("time", "", new Date(view.t * 1000).toLocaleTimeString(document.documentElement.lang));
  said.replaceChildren(when, view.said === null ? "" : pick(view.said));
  const isOver = Number(slider.value) === views.length;
  const account = isOver ? played.account : [];
  sync(document.querySelector(".account"), account, (_, line) => line, () => make("p"), (line, words) =>
    text(line, pick(words)),
  );
  drawHands();
}

function drawHands() {
  const chosen = (button, hand) => {
    text(button, String(hand.hand));
    button.setAttribute("aria-label", say("replay_of", { n: hand.hand }));
    button.setAttribute("aria-pressed", String(hand === played));
    button.onclick = () => open(hand);
  };
  sync(document.querySelector(".hands"), evening.hands, (hand) => hand.hand, () => make("button", "quiet"), chosen);
}

const now = () => Number(slider.value);
const steps = { first: () => 1, back: () => now() - 1, on: () => now() + 1, last: () => views.length };

function label(language) {
  setLanguage(language);
  text(switcher, say("other_language"));
  slider.setAttribute("aria-label", say("step"));
  for (const button of document.querySelectorAll("[data-step]")) {
    button.setAttribute("aria-label", say(button.dataset.step));
  }
}

setFaces(evening.faces);
label(currentLanguage());
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => drawStep(steps[button.dataset.step]()));
}
slider.addEventListener("input", () => drawStep(now()));
switcher.addEventListener("click", () => {
  label(currentLanguage() === "zh" ? "en" : "zh");
  drawStep(now());
});
open(played);
