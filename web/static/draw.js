// Small pieces of the page: words, tiles, dice, and lists that keep the elements they have.

const WORDS = JSON.parse(document.body.dataset.words);
const TILES = JSON.parse(document.body.dataset.tiles);
const FACES = document.body.dataset.faces;

const tagOf = (lang) => (lang === "zh-Hans" ? "zh" : lang);

let language = tagOf(document.documentElement.lang);

export function setLanguage(name) {
  language = WORDS[name] ? name : "en";
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  document.title = say(document.body.dataset.view === "seat" ? "seat_title" : "title");
  for (const element of document.querySelectorAll("[data-say]")) {
    text(element, say(element.dataset.say));
  }
  return language;
}

export const currentLanguage = () => language;

// English, Chinese, and the language in which the page came.
export const spoken = Object.keys(WORDS);

// The page's own words, {placeholders} filled in.
export function say(key, values = {}, name = language) {
  return WORDS[name][key].replace(/\{(\w+)\}/g, (all, name) => isolated(values[name] ?? all));
}

// A name that is written from right to left turns nothing that stands beside it.
export const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(name) ? `\u2068${name}\u2069` : name);

// Words that came with the view.
export const pick = (words) => words[language] ?? words[language.startsWith("zh") ? "zh" : "en"];

// The page's own words as the server sends its.
export const everywhere = (key, values = {}) => Object.fromEntries(spoken.map((name) => [name, say(key, values, name)]));

// Content: texts and elements.
export function make(tag, className = "", ...content) {
  const element = document.createElement(tag);
  if (tag === "button") element.type = "button";
  if (className) element.className = className;
  element.append(...content.filter((each) => each));
  return element;
}

// A button, and what a tap on it does.
export function pressable(className, act, ...content) {
  const button = make("button", className, ...content);
  button.addEventListener("click", act);
  return button;
}

// Text is only ever set as text, and only when it changed.
export function text(element, content) {
  if (element.textContent !== content) element.textContent = content;
}

// Bring the children in line with the items; an element stays as long as its item's key does.
export function sync(parent, items, key, create, update = () => {}) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let next = parent.firstElementChild;
  items.forEach((item, index) => {
    const name = String(key(item, index));
    let child = old.get(name);
    if (child) old.delete(name);
    else {
      child = create(item, index);
      child.dataset.key = name;
    }
    update(child, item, index);
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  });
  for (const child of old.values()) child.remove();
}

// The choices of a list: the value of each and its words.
export function options(select, choices) {
  const kept = select.value;
  sync(select, choices, ([value]) => value, ([value]) => {
    const option = make("option");
    option.value = value;
    return option;
  }, (option, [, words]) => text(option, words));
  if (choices.some(([value]) => String(value) === kept)) select.value = kept;
}

const FILES = { "?": "unknown", "#": "back" };
let faces = null; // tiles' pictures by the names of their files, once they are there
let coming = null;

// One file has all faces, and they are there before the first is shown: a table changes quicker
// than a picture comes.
export function bringFaces() {
  coming ??= fetch(FACES).then((reply) => reply.json()).then(drawn).catch(() => { coming = null; });
  return coming;
}

// In a page that is a file and has no server.
export const setFaces = (brought) => { coming = drawn(brought); };

async function drawn(pictures) {
  const images = Object.entries(pictures).map(async ([name, picture]) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    await image.decode();
    return [name, image];
  });
  faces = new Map(await Promise.all(images));
}

// A face and its name change together: until its picture is there the name stands there.
export function setTile(image, tile) {
  if (image.dataset.tile !== tile) {
    image.dataset.tile = tile;
    const show = () => {
      const face = image.dataset.tile === tile && faces?.get(FILES[tile] ?? tile);
      if (face) image.src = face.src;
    };
    if (faces === null) bringFaces().then(show);
    else show();
    image.classList.toggle("unread", tile === "?");
  }
  if (image.alt !== TILES[language][tile]) image.alt = TILES[language][tile];
  return image;
}

export function tile(name, className = "") {
  const image = make("img", `tile ${className}`.trim());
  image.width = 30; // the shape before the style sheet and the file are there
  image.height = 40;
  return setTile(image, name);
}

// A row of tiles, each redrawn only where it changed.
export function tiles(parent, names) {
  sync(parent, names, (_, index) => index, (name) => tile(name), setTile);
}

const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

export function die(value) {
  const face = make("span", value === 1 ? "die ace" : "die");
  face.setAttribute("role", "img");
  face.setAttribute("aria-label", String(value));
  for (let place = 0; place < 9; place += 1) {
    face.append(make("i", (PIPS[value] ?? []).includes(place) ? "on" : ""));
  }
  return face;
}

// A score with a true minus.
export const points = (score) => String(score).replace("-", "−");

export const signed = (moved) => (moved > 0 ? `+${moved}` : points(moved));

export function setChange(element, moved) {
  text(element, signed(moved));
  element.classList.toggle("up", moved > 0);
  element.classList.toggle("down", moved < 0);
}

// An age in words: tenths while it is fresh, then what a person would say.
export function age(seconds) {
  if (seconds < 9.95) return say("seconds", { n: Math.max(0, seconds).toFixed(1) });
  if (seconds < 120) return say("seconds", { n: Math.round(seconds) });
  if (seconds < 7200) return say("minutes", { n: Math.round(seconds / 60) });
  return say("hours", { n: Math.round(seconds / 3600) });
}
