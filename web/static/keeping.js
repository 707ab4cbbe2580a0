// What the pages of setting up and keeping share: talking to the program, and saying what it says.

import { pick, say, text } from "./draw.js";
import { call, get } from "./net.js";
import { pause } from "./time.js";

const TOLD_MS = 7000;
const AGAIN_MS = 1000;

export const find = (selector) => document.querySelector(selector);

let timer = 0;
export function tell(sentence, bad = false) {
  const place = find("#told");
  place.hidden = !sentence;
  place.className = bad ? "bad" : "";
  text(place, sentence);
  clearTimeout(timer);
  timer = setTimeout(() => { place.hidden = true; }, TOLD_MS);
}

// The answer, or null after saying why there is none. A file is sent as it is.
export async function ask(path, content) {
  const { ok, said } = await call(path, content);
  if (ok && said !== null) return said;
  tell(said?.error ? pick(said.error) : say("gone"), true);
  return null;
}

// What keeps the table from being followed, with its place in the file.
export function showTrouble(trouble) {
  const panel = find("#trouble");
  panel.hidden = !trouble;
  if (!trouble) return;
  panel.className = `panel ${trouble.kind}`;
  text(panel.querySelector(".says"), pick(trouble.says));
  const { file, line, key } = trouble;
  const where = line && key ? "line" : line ? "line_only" : key ? "key_only" : "";
  text(panel.querySelector(".where"), where ? say(where, { file, line, key }) : file);
  text(panel.querySelector(".advice"), pick(trouble.advice));
}

export function showDiff(place, lines) {
  place.hidden = !lines.length;
  place.replaceChildren(...lines.map((line) => {
    const element = document.createElement("span");
    const head = line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@");
    element.className = head ? "head" : line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : "";
    element.textContent = `${line}\n`;
    return element;
  }));
}

// The program goes on in another mode under the same address: wait until it answers there.
export async function comeBack(to) {
  for (;;) {
    await pause(AGAIN_MS);
    const said = await get("/api/admin");
    if (said !== null && !said.switching) break;
  }
  location.assign(to);
}

export const moment = (seconds) =>
  new Date(seconds * 1000).toLocaleString(say("locale"), {
    dateStyle: "medium", timeStyle: "short",
  });
