// Language and colours, remembered in a cookie so that the server sends the page as it was chosen.

import { currentLanguage, say, setLanguage, spoken, text } from "./draw.js";

const YEAR_S = 31_536_000;
const root = document.documentElement;
const language = document.getElementById("language");
const theme = document.getElementById("theme");
const wantsLight = matchMedia("(prefers-color-scheme: light)");

const wantsMore = matchMedia("(prefers-contrast: more)");

let redraw = () => {};

export function followSwitches(draw) {
  redraw = draw;
  language?.addEventListener("change", () => choose(language.value));
  theme?.addEventListener("click", () => paint(isLight() ? "dark" : "light"));
  wantsLight.addEventListener("change", label);
  if (wantsMore.matches && !root.dataset.eyes) root.dataset.eyes = "strong";
  setLanguage(currentLanguage());
  label();
}

const isLight = () => (root.dataset.theme ?? (wantsLight.matches ? "light" : "dark")) === "light";

// A language in which the page did not come is fetched with the page.
export function choose(name) {
  remember("language", name);
  if (!spoken.includes(name)) return location.reload();
  setLanguage(name);
  label();
  return redraw();
}

function paint(name) {
  root.dataset.theme = name;
  remember("theme", name);
  label();
}

function label() {
  for (const button of [language, theme]) if (button) button.hidden = false;
  if (language) {
    language.value = currentLanguage();
    language.setAttribute("aria-label", say("language"));
  }
  if (theme) {
    text(theme, isLight() ? "☾" : "☀");
    theme.setAttribute("aria-label", say(isLight() ? "go_dark" : "go_light"));
    theme.title = theme.getAttribute("aria-label");
  }
}

function remember(key, value) {
  document.cookie = `${key}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
