// A hand that nobody won: who drew the last tile, who dealt, and what is paid all the same.

import { send } from "./ask.js";
import { choices } from "./choices.js";
import { make, pick, say, sync, text } from "./draw.js";

const section = document.getElementById("asks");

export function tellDraw(page, problem) {
  const { deal, nameOf } = page;
  const said = { last: null, passed: null, dealer: deal.seat, chased: false };
  const asked = [
    { key: "last", title: say("photo_last"), choices: [0, 1, 2, 3] },
    ...(deal.passes ? [{ key: "passed", title: say("photo_passed"), choices: [0, 1, 2, 3] }] : []),
    ...(deal.asked ? [{ key: "dealer", title: say("photo_dealer"), choices: deal.seats }] : []),
    ...(deal.chase ? [{ key: "chased", title: say("photo_special"), choices: [true] }] : []),
  ];
  const button = make("button", "main send", say("photo_draw_send"));
  button.dataset.key = "end";
  button.addEventListener("click", async () => {
    const refused = await send("/api/draw", {
      last_drawer: said.last, last_passed: said.passed, dealer: deal.asked ? said.dealer : null, chased: said.chased,
    });
    if (refused !== null) return problem(refused);
    return location.assign("/");
  });
  section.hidden = false;
  show();
  section.scrollIntoView();

  function show() {
    sync(section, asked, (item) => item.key, () => make("div", "ask", make("h2"), make("div", "choices")), (element, item) => {
      text(element.children[0], item.title);
      choices(element.children[1], item.choices, {
        label: (choice) => (choice === true ? pick(deal.chase) : nameOf(choice)),
        chosen: (choice) => said[item.key] === choice,
        choose: (choice) => choose(item.key, choice),
      });
    });
    button.disabled = (said.last === null && said.passed === null) || said.dealer === null;
    section.append(button);
  }

  // Somebody drew the last tile, or all four left it.
  function choose(key, choice) {
    if (key === "last" || key === "passed") Object.assign(said, { last: null, passed: null });
    said[key] = key === "chased" ? !said.chased : choice;
    show();
  }
}
