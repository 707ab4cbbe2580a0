// A hand that nobody won: who drew the last tile, and who dealt.

import { send } from "./ask.js";
import { choices } from "./choices.js";
import { make, say, sync, text } from "./draw.js";

const section = document.getElementById("asks");

export function tellDraw(page, problem) {
  const { deal, nameOf } = page;
  const said = { last: null, dealer: deal.seat };
  const asked = [
    { key: "last", words: "photo_last", seats: [0, 1, 2, 3] },
    ...(deal.asked ? [{ key: "dealer", words: "photo_dealer", seats: deal.seats }] : []),
  ];
  const button = make("button", "main send", say("photo_draw_send"));
  button.type = "button";
  button.dataset.key = "end";
  button.addEventListener("click", async () => {
    const refused = await send("/api/draw", { last_drawer: said.last, dealer: deal.asked ? said.dealer : null });
    if (refused !== null) return problem(refused);
    return location.assign("/");
  });
  section.hidden = false;
  show();
  section.scrollIntoView();

  function show() {
    sync(section, asked, (item) => item.key, () => {
      const element = make("div", "ask");
      element.append(make("h2"), make("div", "choices"));
      return element;
    }, ({ children: [title, row] }, { key, words, seats }) => {
      text(title, say(words));
      choices(row, seats, {
        label: nameOf,
        chosen: (seat) => said[key] === seat,
        choose: (seat) => {
          said[key] = seat;
          show();
        },
      });
    });
    button.disabled = said.last === null || said.dealer === null;
    section.append(button);
  }
}
