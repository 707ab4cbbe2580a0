// A disputed hand's file at the club: checked in a process of its own, sentence by sentence.

import { post } from "./ask.js";
import { say } from "./draw.js";
import { drawFound } from "./found.js";
import { followSwitches } from "./switches.js";

const form = document.getElementById("check");
let answer = null; // the last one
let telling = () => ""; // what is said above it

const draw = () => drawFound(answer, telling());

async function check() {
  [answer, telling] = [null, () => say("verify_checking")];
  draw();
  const file = Number(form.dataset.file);
  const got = await post("/api/desk/file/verify", { file, seal: form.elements.seal.value });
  answer = got.error ? { ok: false } : got;
  telling = () => got.error || say(got.ok ? "verify_good" : "verify_bad");
  draw();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
form.querySelector("[type=submit]").disabled = false;
followSwitches(draw);
check();
