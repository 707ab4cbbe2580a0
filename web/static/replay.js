// A hand that was played, step by step on the drawn table.

import { make, pick, say, sync, text } from "./draw.js";
import { drawFelt } from "./felt.js";
import { call } from "./net.js";

const dialog = document.getElementById("replay");
const felt = dialog && copyOfTable();
const slider = dialog?.querySelector("input");
const picture = dialog?.querySelector("img.kept");
const account = dialog?.querySelector(".account");

let hand = 0;
let asked = 0; // the newest request: older ones that come late are not drawn

// The same table once more, so that the page need not bring it twice.
function copyOfTable() {
  const copy = document.getElementById("table").cloneNode(true);
  copy.id = "replayed";
  const title = copy.querySelector("h2");
  title.id = "replayed-title";
  copy.setAttribute("aria-labelledby", title.id);
  dialog.querySelector(".said").after(copy);
  return copy;
}

export function openReplay(number) {
  hand = number;
  text(document.getElementById("replay-title"), say("replay_of", { n: hand }));
  picture.alt = say("replay_picture");
  slider.setAttribute("aria-label", say("step"));
  for (const button of dialog.querySelectorAll("[data-step]")) {
    button.setAttribute("aria-label", say(button.dataset.step));
  }
  dialog.showModal();
  show(1);
}

async function show(step) {
  asked += 1;
  const mine = asked;
  const said = dialog.querySelector(".said");
  const { said: reply } = await call(`/api/hands/${hand}/${step}`);
  if (mine !== asked) return;
  if (reply === null || reply.error) return text(said, reply === null ? say("not_sent") : pick(reply.error));
  slider.max = reply.steps;
  slider.value = reply.step;
  drawFelt(reply.view, felt);
  sync(account, reply.account, (_, line) => line, () => make("p"), (line, words) => text(line, pick(words)));
  picture.hidden = reply.picture === null;
  if (reply.picture !== null) picture.src = `/api/evidence/${reply.picture}/picture.jpg`;
  else picture.removeAttribute("src");
  text(said, reply.view.events.length ? pick(reply.view.events[0].text) : "");
}

if (dialog !== null) {
  const now = () => Number(slider.value);
  const go = {
    first: () => show(1),
    back: () => show(Math.max(1, now() - 1)),
    on: () => show(Math.min(Number(slider.max), now() + 1)),
    last: () => show(Number(slider.max)),
  };
  for (const button of dialog.querySelectorAll("[data-step]")) {
    button.addEventListener("click", go[button.dataset.step]);
  }
  slider.addEventListener("input", () => show(now()));
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (step === undefined || event.target === slider) return; // the slider knows these keys
    event.preventDefault();
    go[step]();
  });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
}
