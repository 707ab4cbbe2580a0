// The enrolment page: what was read of a person's own tiles, and one tap to correct it.

import { call, get } from "./net.js";
import { ask as tell, dress, find, language, make, say, trouble, whenSpokenOtherwise } from "./own_page.js";

const body = document.body;
const names = JSON.parse(body.dataset.tiles);
const faces = body.dataset.faces.split(" ");
const ORDER = [...faces, "back", "d1", "d2", "d3", "d4", "d5", "d6", "nothing", "?"];
const ORDINARY = 34; // the first faces are in every set, flowers and seasons in some
const COPIES = 4;
const POLL_MS = 500;
const FACE = /(?<![\w])([1-9][mps]|[1-4][fq]|[ESWNCFP])(?![\w])/;

let state = null;
let asked = []; // the items that the palette is open for
let told = false;

const nameOf = (label) => names[language][label] ?? label;

// -- talking to the program -----------------------------------------------------------------------

// One after the other: the last answer is then the newest, and shows all that was said.
let sent = Promise.resolve();
function send(path, content) {
  sent = sent.then(() => sendOne(path, content));
  return sent;
}

async function sendOne(path, content) {
  const view = await tell(path, content);
  if (view !== null) show(view);
}

async function load() {
  const view = await get("api/enrol");
  if (view !== null) show(view);
  else if (!told) trouble(say("gone"));
}

const label = (items, text) => send("api/enrol/label", { items, label: text });

// -- drawing --------------------------------------------------------------------------------------

function drawn(text) {
  const face = faces.includes(text) || text === "back";
  if (!face) return make("span", { class: "word" }, nameOf(text));
  return make("img", { class: "face", src: `${body.dataset.static}${text}.svg`, alt: nameOf(text), title: nameOf(text) });
}

function crop(index, tapped) {
  const item = state.items[index];
  const image = make("img", { src: `crop/${index}.jpg`, alt: "", loading: "lazy" });
  const kind = `crop${item.confirmed ? " confirmed" : ""}`;
  if (!tapped) return make("span", { class: kind }, image);
  const spoken = say("read_as", nameOf(item.label)) + (item.confirmed ? `, ${say("confirmed")}` : "");
  return make("button", { type: "button", class: kind, "data-item": index, "aria-label": spoken, onclick: () => ask([index]) }, image);
}

const doubtful = (item) => !item.sure && !item.confirmed;

function grouped(key, chosen) {
  const groups = new Map();
  state.items.forEach((item, index) => {
    if (!chosen(item)) return;
    const name = key(item);
    groups.set(name, [...(groups.get(name) ?? []), index]);
  });
  return groups;
}

function drawDoubts() {
  const kinds = [...grouped((item) => `${item.kind} ${item.label}`, doubtful).values()];
  find("#first").hidden = !kinds.length;
  find("#clear").hidden = kinds.length > 0;
  find("#first .doubts").replaceChildren(...kinds.map((indices) => {
    const item = state.items[indices[0]];
    const others = item.candidates.filter((text) => text !== item.label).slice(0, 2);
    return make("li", {},
      make("p", { class: "crops" }, ...indices.map((index) => crop(index, true))),
      make("p", { class: "choose" },
        make("button", { type: "button", class: "guess", "aria-label": `${nameOf(item.label)}: ${say("right")}`, onclick: () => label(indices, item.label) },
          drawn(item.label), make("span", {}, `✓ ${say("right")}`)),
        ...others.map((text) => make("button", { type: "button", "aria-label": nameOf(text), onclick: () => label(indices, text) }, drawn(text))),
        make("button", { type: "button", "aria-label": say("what"), onclick: () => ask(indices) }, "…")));
  }));
  const left = find("#left");
  left.textContent = kinds.length ? say("doubtful", kinds.length) : say("none_doubtful");
  left.classList.toggle("doubtful", kinds.length > 0);
}

function mostInOnePicture(indices) {
  const counts = new Map();
  for (const index of indices) {
    const number = state.items[index].picture;
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

function drawGroups() {
  const groups = grouped((item) => item.label, (item) => !doubtful(item));
  const cards = ORDER.filter((text) => groups.has(text)).map((text) => {
    const indices = groups.get(text);
    const most = mostInOnePicture(indices);
    const copies = faces.indexOf(text) < ORDINARY ? COPIES : 1;
    const tooMany = faces.includes(text) && most > copies;
    const card = make("li", { "data-face": text, class: tooMany ? "warned" : null },
      make("div", { class: "sign" }, drawn(text), make("b", {}, indices.length)),
      make("div", { class: "crops" }, ...indices.map((index) => crop(index, true))));
    if (tooMany) card.append(make("p", { class: "warn" }, say("too_many").replace("{count}", most)));
    return card;
  });
  find("#tiles .groups").replaceChildren(...cards);
  find("#tiles").hidden = !cards.length;
  const shown = new Set(state.items.filter((item) => item.label !== "?").map((item) => item.label));
  const missing = faces.slice(0, ORDINARY).filter((text) => !shown.has(text));
  find("#missing").hidden = !missing.length;
  find("#missing .faces").replaceChildren(...missing.map(drawn));
}

function drawPhotos() {
  find("#photos ul").replaceChildren(...state.pictures.map((name, index) => {
    const count = state.items.filter((item) => item.picture === index).length;
    return make("li", {}, make("a", { href: `picture/${index}.jpg`, target: "_blank" },
      make("img", { src: `picture/${index}.jpg`, alt: name, loading: "lazy" }),
      make("span", {}, `${name} · ${count}`)));
  }));
}

function drawHead() {
  const count = state.items.filter((item) => faces.includes(item.label)).length;
  const pictures = state.pictures.length === 1 ? say("one_picture") : say("pictures", state.pictures.length);
  find("#name").textContent = state.name;
  find("#summary").textContent = say("summary").replace("{tiles}", count).replace("{pictures}", pictures);
  find("#close").setAttribute("aria-label", say("close"));
  dress(`${state.name} · ${say("title")}`);
}

function withTiles(sentence) {
  return sentence.split(FACE).map((part) => (faces.includes(part) ? drawn(part) : part));
}

function drawEnding() {
  const { stage } = state;
  const over = stage !== "learning";
  find("#ending").classList.toggle("done", stage === "done");
  find("#ending-title").textContent =
    stage === "done" ? say("learnt", state.name) : say(stage === "failed" ? "failed" : "learning");
  find("#ending-help").textContent =
    stage === "done" ? say("learnt_help", state.name) : stage === "failed" ? "" : say("learning_help");
  find("#progress").value = state.progress;
  find("#progress").hidden = over;
  find("#lines").replaceChildren(...state.lines.map((line) => make("li", {}, ...withTiles(line[language]))));
}

function show(view) {
  if (!view.stage) return;
  const photos = state === null;
  state = view;
  const reviewing = view.stage === "review";
  find("#review").hidden = find("#bar").hidden = !reviewing;
  find("#ending").hidden = reviewing;
  drawHead();
  if (reviewing) {
    drawDoubts();
    drawGroups();
    if (photos) drawPhotos();
    return;
  }
  drawEnding();
  if (view.stage === "learning") {
    setTimeout(load, POLL_MS);
  } else if (!told) {
    told = true;
    call("api/enrol/seen", {}); // the program ends as soon as it knows
  }
}

// -- the palette ----------------------------------------------------------------------------------

function choice(text, kind = null) {
  const now = asked.every((index) => state.items[index].label === text) ? "now" : "";
  const spoken = make("span", {}, nameOf(text));
  const content = kind === "likely" && faces.includes(text) ? [drawn(text), spoken] : [drawn(text)];
  return make("button", {
    type: "button", class: `${now} ${kind === "start" ? "start" : ""}`.trim() || null,
    "data-label": text, "aria-label": nameOf(text), onclick: () => choose(text),
  }, ...content);
}

function ask(indices) {
  asked = indices;
  const candidates = state.items[indices[0]].candidates;
  find("#palette .crops").replaceChildren(...indices.slice(0, 3).map((index) => crop(index, false)));
  find("#palette .likely").replaceChildren(...candidates.map((text) => choice(text, "likely")));
  const starts = ["1m", "1p", "1s", "E", "1f"];
  find("#palette .choices").replaceChildren(
    ...faces.map((text) => choice(text, starts.includes(text) ? "start" : null)));
  find("#palette .others").replaceChildren(...["back", "nothing", "?"].map((text) => {
    const button = choice(text);
    button.replaceChildren(nameOf(text));
    return button;
  }));
  find("#palette").showModal();
}

function choose(text) {
  const items = asked;
  find("#palette").close();
  label(items, text);
}

find("#close").addEventListener("click", () => find("#palette").close());
find("#palette").addEventListener("click", (event) => {
  if (event.target === find("#palette")) find("#palette").close(); // the veil around it
});
find("#done").addEventListener("click", () => send("api/enrol/done", {}));
find("#all-right").addEventListener("click", () => {
  const items = state.items.flatMap((item, index) => (doubtful(item) ? [index] : []));
  send("api/enrol/right", { items });
});
whenSpokenOtherwise(() => show(state));
load();
