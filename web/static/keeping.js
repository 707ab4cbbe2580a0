// What the pages of setting up and keeping share: talking to the program, and saying what it says.

import { pick, say, text } from "./draw.js";

const token = document.querySelector("meta[name=table-token]").content;
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
  let answer;
  try {
    answer = await fetch(path, content === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": content instanceof Blob ? "application/octet-stream" : "application/json", "X-Table-Token": token },
      body: content instanceof Blob ? content : JSON.stringify(content),
    });
  } catch {
    tell(say("gone"), true);
    return null;
  }
  const view = await answer.json().catch(() => ({}));
  if (answer.ok) return view;
  tell(view.error ? pick(view.error) : answer.statusText, true);
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
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    try {
      const answer = await fetch("/api/admin", { cache: "no-store" });
      if (answer.ok && !(await answer.json()).switching) break;
    } catch { /* not yet */ }
  }
  location.assign(to);
}

export const moment = (seconds) =>
  new Date(seconds * 1000).toLocaleString(say("locale"), {
    dateStyle: "medium", timeStyle: "short",
  });
