// For who learns, where the switch is on: what may be done now, why not, and the rules' own words.

import { make, pick, say, sync, text } from "./draw.js";
import { stored } from "./part.js";

const NAME = "table-learns";
const panel = document.getElementById("learn");
const [box, place] = [panel.querySelector("input"), panel.querySelector(".lesson")];
const [now, rules] = place.querySelectorAll("ul");
let last = null;
let shown = null; // the view for which it was asked

box.checked ||= stored(NAME) === "yes"; // it may have been tapped before this was here
panel.open ||= box.checked;
box.addEventListener("change", () => {
  keep();
  shown = null;
  if (last !== null) drawLesson(last);
});
if (box.checked) keep();

function keep() {
  try {
    localStorage.setItem(NAME, box.checked ? "yes" : "no");
  } catch {
    // a browser that keeps nothing: it holds until the page is closed
  }
}

export function drawLesson(view) {
  last = view;
  place.hidden = !box.checked;
  if (!box.checked || view.seq === shown?.seq) return draw();
  shown = { seq: view.seq, lesson: shown?.lesson ?? null };
  return look(view.seq);
}

async function look(seq) {
  const reply = await fetch(`/api/learn/${document.body.dataset.own}`, { cache: "no-store" }).catch(() => null);
  if (!reply?.ok || shown.seq !== seq) return;
  shown.lesson = await reply.json();
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
