// A dispute file is checked by the table's machine; this page shows each sentence under its mark.

import { post, refusal } from "./ask.js";
import { everywhere, make, options, say, text } from "./draw.js";
import { drawFound } from "./found.js";
import { keptSeals } from "./kept.js";
import { call, get } from "./net.js";
import { followSwitches } from "./switches.js";

const MB = 1e6;
const byId = (id) => document.getElementById(id);
const upload = byId("upload");
const own = byId("own");
const file = byId("file");
let answer = null; // the last one
let telling = () => ""; // what is said above it, in the language of the moment
let turn = 0; // of several checks only the latest is shown

function draw() {
  drawFound(answer, telling());
  drawKept();
}

async function check(asking) {
  turn += 1;
  const mine = turn;
  answer = null;
  telling = () => say("verify_checking");
  draw();
  const got = await asking();
  if (mine !== turn) return;
  answer = got.error ? { ...got, ok: false } : got;
  telling = () => (got.error ? refusal(got) : say(got.ok ? "verify_good" : "verify_bad"));
  draw();
}

async function sent(chosen, seal) {
  const { said } = await call(`/api/verify?seal=${encodeURIComponent(seal)}`, chosen, { "Content-Type": "application/zip" });
  return said ?? { error: everywhere("not_sent") };
}

upload.addEventListener("submit", (event) => {
  event.preventDefault();
  const [chosen] = file.files;
  if (!chosen) return;
  const most = Number(upload.dataset.most);
  const sizes = { mb: Math.ceil(chosen.size / MB), most: most / MB };
  if (chosen.size > most) check(async () => ({ error: everywhere("verify_too_large", sizes) }));
  else check(() => sent(chosen, upload.elements.seal.value));
});

own.addEventListener("submit", (event) => {
  event.preventDefault();
  const { hand, seal } = own.elements;
  check(async () => {
    const got = await post("/api/verify/hand", { hand: Number(hand.value), seal: seal.value });
    return got.error ? { ...got, error: { en: got.error, zh: got.error } } : got;
  });
});
for (const form of [upload, own]) form.querySelector("[type=submit]").disabled = false;

file.addEventListener("change", () => {
  const [chosen] = file.files;
  byId("chosen").hidden = !chosen;
  text(byId("chosen"), chosen?.name ?? "");
});

// The seals that this device has kept, to choose from.
function drawKept() {
  const options = keptSeals().flatMap((record) => record.hands).reverse();
  byId("kept").replaceChildren(
    ...options.map(({ hand, seal }) => {
      const option = make("option");
      option.value = seal;
      option.label = say("verify_kept", { hand });
      return option;
    }),
  );
}

async function list() {
  const { hands } = (await get("/api/seals")) ?? { hands: [] };
  const numbers = [...new Set(hands.map((each) => each.hand))].reverse();
  byId("none").hidden = numbers.length > 0;
  own.querySelector("button").disabled = numbers.length === 0;
  options(own.elements.hand, numbers.map((number) => [number, String(number)]));
}

followSwitches(draw);
draw();
list();
