// How this phone shows the table: letters, contrast, motion, the own colour. What somebody has the
// table remember comes back with the name, on any phone.

import { post } from "./ask.js";
import { lookForColours } from "./colours.js";
import { currentLanguage, say, text } from "./draw.js";
import { choose } from "./switches.js";
import { insist } from "./net.js";
import { local, read } from "./store.js";

const COOKIE = "eyes";
const PLACE = `/api/regulars/seat/${document.body.dataset.own}`;
const YEAR_S = 31_536_000;
const root = document.documentElement;
const panel = document.getElementById("eyes");
const boxes = [...panel.querySelectorAll("input")];
const colour = panel.querySelector("select");
const button = panel.querySelector(".remember");
const voice = document.querySelector("#signals [name=voice]");
let kept = false; // the table remembers this player
let elsewhere = false; // with another phone, and nothing proves that this one is the player's, too
let name = "";

for (const box of boxes) {
  box.checked ||= (root.dataset.eyes ?? "").split(" ").includes(box.name); // or tapped before this was here
  box.addEventListener("change", chosen);
}
colour.addEventListener("change", chosen);
voice?.addEventListener("change", () => kept && keep(voice.checked));
if (boxes.some((box) => box.checked)) apply();
button.addEventListener("click", () => keep());
look();

function chosen() {
  apply();
  if (kept) keep();
}

function apply() {
  root.dataset.eyes = boxes.filter((box) => box.checked).map((box) => box.name).join(" ");
  document.cookie = `${COOKIE}=${root.dataset.eyes.replaceAll(" ", ".") || "-"}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

const isChosen = (cookie) => document.cookie.split("; ").some((each) => each.startsWith(`${cookie}=`));

async function look() {
  const found = await insist(PLACE);
  if (found !== null) take(found);
}

function take(found) {
  ({ name, elsewhere } = found);
  kept = found.me !== null;
  draw();
  if (!kept) return;
  colour.value = String(found.me.colour);
  if (!isChosen(COOKIE)) {
    for (const box of boxes) box.checked = found.me[box.name];
    apply();
  }
  if (found.me.voice && local.get("table-signals") === null) local.set("table-signals", JSON.stringify(["voice", "caller"]));
  if (found.me.language && found.me.language !== currentLanguage() && !isChosen("language")) choose(found.me.language);
}

export function draw() {
  button.disabled = kept;
  button.hidden = elsewhere;
  text(button, kept ? say("remembered", { name }) : say("remember_me"));
  text(panel.querySelector(".empty"), elsewhere ? say("remembered_elsewhere", { name }) : say("remember_why"));
}

const isSpoken = () => read(local, "table-signals", []).includes("voice");

async function keep(isVoice = isSpoken()) {
  const eyes = Object.fromEntries(boxes.map((box) => [box.name, box.checked]));
  const done = await post(PLACE, { ...eyes, colour: Number(colour.value), language: currentLanguage(), voice: isVoice });
  text(panel.querySelector(".problem"), done.error ?? "");
  if (done.error) return;
  ({ name } = done);
  kept = true;
  draw();
  lookForColours();
}
