// People who come again: a second tap deletes somebody.

import { post } from "./ask.js";
import { currentLanguage, points, say, text } from "./draw.js";
import { followSwitches } from "./switches.js";

const shownIn = currentLanguage();
const problem = document.querySelector(".problem");

followSwitches(() => currentLanguage() !== shownIn && location.reload());
for (const each of document.querySelectorAll("[data-points]")) text(each, points(Number(each.dataset.points)));
for (const button of document.querySelectorAll(".forget")) {
  button.addEventListener("click", () => {
    const { name } = button.dataset;
    if (!button.classList.toggle("sure")) return give("forget", { name });
    return text(button, say("regulars_sure", { name }));
  });
}
for (const button of document.querySelectorAll(".only")) {
  button.addEventListener("click", () => give("only", { name: button.dataset.name }));
}

async function give(what, body) {
  const { error } = await post(`/api/regulars/${what}`, body);
  if (!error) return location.reload();
  return text(problem, error);
}
