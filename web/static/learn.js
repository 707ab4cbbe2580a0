// For who learns, where the switch is on: what may be done now, why not, and the rules' own words.

import { make, pick, sync, text } from "./draw.js";
import { insist } from "./net.js";
import { local } from "./store.js";

const NAME = "table-learns";
const panel = document.getElementById("learn");
const [box, place] = [panel.querySelector("input"), panel.querySelector(".lesson")];
const [now, rules] = place.querySelectorAll("ul");
let last = null;
let shown = null; // the view for which it was asked

box.checked ||= local.get(NAME) === "yes"; // it may have been tapped before this was here
panel.open ||= box.checked;
box.addEventListener("change", () => {
  keep();
  shown = null;
  if (last !== null) drawLesson(last);
});
if (box.checked) keep();

function keep() {
  local.set(NAME, box.checked ? "yes" : "no");
}

export function drawLesson(view) {
  last = view;
  place.hidden = !box.checked;
  if (!box.checked || view.seq === shown?.seq) return draw();
  shown = { seq: view.seq, lesson: shown?.lesson ?? null };
  return look(view.seq);
}

async function look(seq) {
  const lesson = await insist(`/api/learn/${document.body.dataset.own}`, () => shown.seq === seq);
  if (lesson === null || shown.seq !== seq) return;
  shown.lesson = lesson;
  draw();
}

function draw() {
  if (!shown?.lesson) return;
  sync(now, shown.lesson.now, (_, at) => at, () => make("li"), (li, { may, words }) => {
    li.classList.toggle("may", may);
    text(li, `${may ? "✓" : "–"} ${pick(words)}`);
  });
  sync(rules, shown.lesson.rules, ({ id }) => id, () => make("li"), (li, row) => {
    const head = [row.name && pick(row.name), row.value && pick(row.value)].filter(Boolean).join(" · ");
    text(li, [head, ...row.words.map(pick)].filter(Boolean).join(" — "));
  });
  rules.previousElementSibling.hidden = shown.lesson.rules.length === 0;
}
