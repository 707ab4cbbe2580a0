// People who come again: a second tap deletes somebody; others confirm whose another phone is.

import { post } from "./ask.js";
import { currentLanguage, make, points, say, sync, text } from "./draw.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 2000;
const PLACE = "/api/regulars";
const shownIn = currentLanguage();
const problem = document.querySelector(".problem");
const asks = document.getElementById("asks");
const told = document.querySelector(".claim .told");

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
document.querySelector(".claim .ask")?.addEventListener("click", async () => {
  const { error } = await post(`${PLACE}/ask`, {});
  text(problem, error ?? "");
  look();
});
look();
setInterval(() => document.hidden || look(), LOOK_MS);

async function give(what, body) {
  const { error } = await post(`${PLACE}/${what}`, body);
  if (!error) return location.reload();
  return text(problem, error);
}

async function look() {
  const reply = await fetch(`${PLACE}/asked`, { cache: "no-store" }).catch(() => null);
  if (!reply?.ok) return undefined;
  const { own, others } = await reply.json();
  sync(asks, others, ({ claim }) => claim, newClaim, (section, one) => {
    text(section.querySelector("h2"), say("regulars_is_it", one));
    text(section.querySelector("p"), say("regulars_claims", one));
    text(section.querySelector(".yes"), say("regulars_yes", one));
  });
  if (own === null || told === null) return undefined;
  if (own.state === "granted") return give("take", {});
  document.querySelector(".claim .ask").hidden = own.state === "waiting";
  return text(told, own.state === "refused" ? say("regulars_refused") : say("regulars_waits", own));
}

function newClaim({ claim }) {
  const section = make("section", "panel regular");
  const buttons = make("p", "buttons");
  for (const [name, yes] of [["yes main", true], ["no quiet", false]]) {
    const button = make("button", name, say("regulars_no"));
    button.type = "button";
    button.addEventListener("click", async () => {
      text(problem, (await post(`${PLACE}/confirm`, { claim, yes })).error ?? "");
      look();
    });
    buttons.append(button);
  }
  section.append(make("h2"), make("p"), buttons);
  return section;
}
