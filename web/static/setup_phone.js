// A phone as the camera: a code to scan with it, and the question whether it may come in.

import { make, pressable, say, sync, text } from "./draw.js";
import { ask, find } from "./keeping.js";

export const PHONE = "phone";
const EVERY_MS = 1500;

let asking = false;
let asked = 0;

// A new code; one phone may use it.
export async function invite() {
  const made = await ask("/api/pair/offer", { role: "camera" });
  if (!made) return;
  const drawn = new DOMParser().parseFromString(made.svg, "text/html").querySelector("svg");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", made.url);
  const again = pressable("quiet", invite, say("phone_again"));
  const lines = [make("p", "soft", made.url)];
  if (!made.reachable) lines.push(make("p", "alarm", say("phone_unreachable")));
  find("#phone .code").replaceChildren(drawn, ...lines, again);
}

export async function drawInvited(isShown) {
  find("#phone").hidden = !isShown;
  if (!isShown || asking || performance.now() - asked < EVERY_MS) return;
  asking = true;
  if (!find("#phone .code").firstChild) await invite();
  const found = await ask("/api/pair/waiting");
  asking = false;
  asked = performance.now();
  if (!found) return;
  sync(find("#phone .waiting"), found.waiting, (each) => each.request, newAsk, (li, each) => {
    text(li.firstChild, say("phone_joins", { name: each.name }));
    text(li.children[1], each.number);
  });
}

function newAsk(each) {
  const li = make("li", "", make("span"), make("b", "number"));
  for (const [key, allow] of [["phone_yes", true], ["phone_no", false]]) {
    li.append(pressable(allow ? "main" : "quiet", () => ask("/api/pair/decide", { request: each.request, allow }), say(key)));
  }
  return li;
}
