// Language and colours, remembered in a cookie so that the server sends the page as it was chosen.

import { currentLanguage, say, setLanguage, text } from "./draw.js";

const YEAR_S = 31_536_000;
const root = document.documentElement;
const language = document.getElementById("language");
const theme = document.getElementById("theme");
const wantsLight = matchMedia("(prefers-color-scheme: light)");

const wantsMore = matchMedia("(prefers-contrast: more)");

let redraw = () => {};

export function followSwitches(draw) {
  redraw = draw;
  language?.addEventListener("click", () => choose(currentLanguage() === "zh" ? "en" : "zh"));
  theme?.addEventListener("click", () => paint(isLight() ? "dark" : "light"));
  wantsLight.addEventListener("change", label);
  if (wantsMore.matches && !root.dataset.eyes) root.dataset.eyes = "strong";
  setLanguage(root.lang.startsWith("zh") ? "zh" : "en");
  label();
}

const isLight = () => (root.dataset.theme ?? (wantsLight.matches ? "light" : "dark")) === "light";

function choose(name) {
  remember("language", setLanguage(name));
  label();
  redraw();
}

function paint(name) {
  root.dataset.theme = name;
  remember("theme", name);
  label();
}

function label() {
  for (const button of [language, theme]) if (button) button.hidden = false;
  if (language) {
    text(language, say("language"));
    language.lang = currentLanguage() === "zh" ? "en" : "zh-Hans";
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
