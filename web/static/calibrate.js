// The calibration page: four corners on the picture. Where the zones lie is asked of the program,
// which reads tiles by the very same geometry.

import { call } from "./net.js";

const words = JSON.parse(document.body.dataset.words);
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["hand", "melds", "wall", "river", "dice", "birds"];
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // px for an arrow key with Shift
const TROUBLE_MS = 6000;

let { language } = document.body.dataset; // as the assistant's page is read: a cookie knows no port
let state = null;
let corners = []; // as they are dragged; the program's answer comes a moment later
let dragged = null;
let sending = false;
let waiting = false;
let wanted = null; // mm, of the window over the dice
let placed = Promise.resolve(); // when the program has the corners as they are dragged

const find = (selector) => document.querySelector(selector);
const say = (key, value) => words[language][key].replace("{}", value ?? "");

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// -- talking to the program -----------------------------------------------------------------------

async function ask(path, content) {
  const { ok, said } = await call(path, content);
  if (ok && said !== null) return said;
  trouble(said?.error[language] ?? say("gone"));
  return null;
}

async function command(name, content = {}) {
  await placed; // it would save, or turn, corners of before
  const view = await ask(`api/calibrate/${name}`, content);
  if (view) show(view, dragged !== null);
}

function place() {
  if (sending) waiting = true;
  else placed = sendCorners();
}

async function sendCorners() {
  sending = true;
  do {
    waiting = false;
    const view = await ask("api/calibrate/corners", { corners });
    if (view && !waiting) show(view, dragged !== null);
  } while (waiting);
  sending = false;
}

function markWell(mm) {
  wanted = mm;
  placed = placed.then(async () => {
    if (mm !== wanted) return; // it was dragged on
    const view = await ask("api/calibrate/well", { mm });
    if (view) show(view, dragged !== null);
  });
}

let troubleTimer = 0;
function trouble(sentence) {
  find("#trouble").textContent = sentence;
  find("#trouble").hidden = false;
  clearTimeout(troubleTimer);
  troubleTimer = setTimeout(() => { find("#trouble").hidden = true; }, TROUBLE_MS);
}

// -- drawing --------------------------------------------------------------------------------------

const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");
const grade = (zone) => (zone.refused ? "refused" : zone.doubt ? "doubtful" : "");
const layers = {};

function build() {
  const drawing = find("#drawn");
  drawing.setAttribute("viewBox", `0 0 ${state.size[0]} ${state.size[1]}`);
  layers.zones = draw("g", {});
  layers.border = draw("polygon", { class: "border" });
  layers.seat = draw("text", { class: "seat" });
  layers.handles = [0, 1, 2, 3].map((index) => {
    const handle = draw("g", { class: "corner", tabindex: 0, role: "button" },
      draw("circle", { class: "reach" }), draw("circle", { class: "dot" }),
      draw("path", { class: "cross" }));
    handle.addEventListener("pointerdown", (event) => grab(event, index));
    handle.addEventListener("pointermove", (event) => drag(event, index));
    handle.addEventListener("pointerup", drop);
    handle.addEventListener("pointercancel", drop);
    handle.addEventListener("keydown", (event) => nudge(event, index));
    return handle;
  });
  drawing.replaceChildren(layers.zones, layers.border, layers.seat, ...layers.handles);
}

function drawCorners() {
  const scale = state.size[0] / Math.max(1, find("#drawn").getBoundingClientRect().width);
  layers.border.setAttribute("points", points(corners));
  const size = 16 * scale;
  layers.seat.setAttribute("font-size", size);
  layers.seat.setAttribute("stroke-width", size / 5);
  layers.seat.setAttribute("x", (corners[0][0] + corners[1][0]) / 2);
  layers.seat.setAttribute("y", (corners[0][1] + corners[1][1]) / 2 + size / 3);
  layers.seat.textContent = say("seat0");
  layers.handles.forEach((handle, index) => {
    const [x, y] = corners[index];
    handle.setAttribute("transform", `translate(${x} ${y})`);
    handle.setAttribute("aria-label", `${say("corner", index + 1)} (${Math.round(x)}, ${Math.round(y)})`);
    handle.children[0].setAttribute("r", 24 * scale);
    handle.children[1].setAttribute("r", 13 * scale);
    handle.children[2].setAttribute("d", `M${-5 * scale} 0H${5 * scale}M0 ${-5 * scale}V${5 * scale}`);
  });
}

// Under a finger nothing is seen: the picture's own pixels around the corner, beside it.
function look(index) {
  const lens = find("#lens");
  lens.hidden = index === null;
  if (index === null) return;
  const [x, y] = corners[index];
  const half = lens.clientWidth / 2;
  lens.classList.toggle("right", x < state.size[0] / 2);
  lens.style.backgroundImage = `url(${find("#picture").src})`;
  lens.style.backgroundSize = `${state.size[0]}px ${state.size[1]}px`;
  lens.style.backgroundPosition = `${half - x}px ${half - y}px`;
}

function drawZones() {
  layers.zones.replaceChildren(...state.zones.map((zone) =>
    draw("polygon", { class: `zone ${zone.kind} ${grade(zone)}`, points: points(zone.polygon) })));
}

const refusal = () => state.refused?.[language] ?? "";

function row(zone) {
  const width = say("px", Math.floor(zone.px));
  const line = make("p", { class: grade(zone) }, make("b", {}, say(zone.kind)), make("span", {}, width));
  const advice = (zone.refused ?? zone.doubt)?.[language];
  const isSaid = !advice || advice === refusal(); // below the picture
  return isSaid ? [line] : [line, make("small", { class: grade(zone) }, advice)];
}

function drawList() {
  const groups = [0, 1, 2, 3, null].map((seat) => {
    const zones = state.zones.filter((zone) => zone.seat === seat)
      .sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
    const title = seat === null ? say("table") : say("seat", seat + 1);
    return zones.length ? make("li", {}, make("h2", {}, title), ...zones.flatMap(row)) : "";
  });
  find("#zones").replaceChildren(...groups);
}

function show(view, keep = false) {
  const first = state === null;
  state = view;
  if (!keep) corners = view.corners.map((corner) => [...corner]);
  if (first) build();
  drawZones();
  drawCorners();
  drawList();
  if (!keep) showOrigin(view);
  const refused = refusal();
  find("#refused").textContent = view.kept ? say("saved") : refused === find("#origin").textContent ? "" : refused;
  find("#refused").classList.toggle("kept", view.kept);
  find("#save").disabled = view.kept || view.refused !== null || view.origin === "nowhere";
  find("#find").disabled = find("#turn").disabled = view.kept;
  showWell(view);
  find("#language").textContent = say("other");
  find("#picture").alt = say("title");
  document.title = say("title");
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  if (view.kept) ask("api/calibrate/seen", {}).catch(() => {}); // the program ends when it knows
}

// Not under a finger: more lines or fewer would move the picture from under it.
function showOrigin(view) {
  find("#origin").textContent = view.says[language] || say(view.origin);
  find("#origin").className = view.origin;
}

function showWell(view) {
  const slider = find("#well input");
  slider.max = view.well.most;
  if (document.activeElement !== slider) slider.value = view.well.mm;
  slider.disabled = view.kept;
  find("#well span").textContent = view.well.mm ? say("well", view.well.mm) : say("no_well");
}

// -- moving a corner ------------------------------------------------------------------------------

function grab(event, index) {
  if (state.kept) return;
  event.currentTarget.setPointerCapture(event.pointerId);
  dragged = index;
  event.currentTarget.focus();
  event.preventDefault();
  look(index);
}

function drag(event, index) {
  if (dragged !== index) return;
  const frame = find("#drawn").getBoundingClientRect();
  corners[index] = [
    ((event.clientX - frame.left) / frame.width) * state.size[0],
    ((event.clientY - frame.top) / frame.height) * state.size[1],
  ];
  drawCorners();
  look(index);
  place();
}

function drop() {
  if (dragged === null) return;
  dragged = null;
  look(null);
  place();
}

function nudge(event, index) {
  const step = STEPS[event.key];
  if (!step || state.kept) return;
  const far = event.shiftKey ? FAR : 1;
  corners[index] = [corners[index][0] + far * step[0], corners[index][1] + far * step[1]];
  event.preventDefault();
  drawCorners();
  place();
}

find("#find").addEventListener("click", () => command("find"));
find("#turn").addEventListener("click", () => command("turn"));
find("#well input").addEventListener("input", (event) => markWell(event.target.valueAsNumber));
find("#save").addEventListener("click", () => command("save"));
find("#language").addEventListener("click", () => {
  const spoken = Object.keys(words);
  language = spoken[(spoken.indexOf(language) + 1) % spoken.length];
  show(state);
});
addEventListener("resize", () => state && drawCorners());
ask("api/calibrate").then((view) => view && show(view));
