// People who come again: a second tap deletes somebody.

import { post } from "./ask.js";
import { currentLanguage, points, say, text } from "./draw.js";
import { followSwitches } from "./switches.js";

const shownIn = currentLanguage();
followSwitches(() => currentLanguage() !== shownIn && location.reload());
for (const each of document.querySelectorAll("[data-points]")) text(each, points(Number(each.dataset.points)));
for (const button of document.querySelectorAll(".forget")) {
  button.addEventListener("click", async () => {
    const { name } = button.dataset;
    if (!button.classList.toggle("sure")) {
      const done = await post("/api/regulars/forget", { name });
      if (!done.error) return location.reload();
      return text(document.querySelector(".problem"), done.error);
    }
    return text(button, say("regulars_sure", { name }));
  });
}
