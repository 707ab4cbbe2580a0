// What was found in a dispute's file: each sentence under its mark.

import { make, pick, text } from "./draw.js";

const byId = (id) => document.getElementById(id);

// `answer` is the server's, or null; `telling` says what stands above it.
export function drawFound(answer, telling) {
  const told = byId("told");
  text(told, telling);
  told.classList.toggle("alarm", answer !== null && answer.ok === false);
  byId("found").hidden = !answer?.findings;
  for (const section of byId("found").children) {
    const rows = (answer?.findings ?? []).filter((row) => row.mark === section.dataset.mark);
    section.hidden = rows.length === 0;
    section.querySelector("ul").replaceChildren(...rows.map((row) => make("li", "", pick(row.text))));
  }
}
