// What the pages that a command opens share: their words, their elements, and what went wrong.

import { call } from "./net.js";

const TROUBLE_MS = 6000;
const words = JSON.parse(document.body.dataset.words);
const spoken = Object.keys(words);

// As the assistant's page is read (a cookie knows no port), else as the device says.
export let language = document.body.dataset.language ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

export const find = (selector) => document.querySelector(selector);
export const say = (key, ...values) => values.reduce((text, value) => text.replace("{}", value), words[language][key]);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// The program's answer; null where it is none, and people are told why.
export async function ask(path, content) {
  const { ok, said } = await call(path, content);
  if (ok && said !== null) return said;
  trouble(said?.error[language] ?? say("gone"));
  return null;
}

let troubleTimer = 0;
export function trouble(sentence) {
  find("#trouble").textContent = sentence;
  find("#trouble").hidden = false;
  clearTimeout(troubleTimer);
  troubleTimer = setTimeout(() => { find("#trouble").hidden = true; }, TROUBLE_MS);
}

export function dress(title) {
  document.title = title;
  document.documentElement.lang = language;
  find("#language").textContent = say("other");
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
}

export function whenSpokenOtherwise(redraw) {
  find("#language").addEventListener("click", () => {
    language = spoken[(spoken.indexOf(language) + 1) % spoken.length];
    redraw();
  });
}
