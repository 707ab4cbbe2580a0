// Showing where the table is: a frame to aim with, what is found drawn over the picture, and "now".

import { post } from "./ask.js";
import { pick, say, text } from "./draw.js";

const SVG = "http://www.w3.org/2000/svg";
const LOOK_MS = 700;
const INSET = 0.08; // of the picture's shorter side around the frame
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // px for an arrow key with Shift

const drawing = document.getElementById("aim");
const verdict = document.getElementById("verdict");
const canvas = document.getElementById("sent");
const row = document.getElementById("aiming");
const [keep, take, turn, cancel] = ["keep", "take", "turn", "cancel"].map((name) => row?.querySelector(`.${name}`));

let task = null; // table, tiles, or nothing
let shown = null; // the table's last answer
let held = false; // a person has taken the corners over
let dragged = null;
let ended = () => {};
let round = 0; // of aiming: what an earlier one still asks for counts no more
let sending = false;
let waiting = false;
let placed = Promise.resolve(); // when the program has the corners as they are dragged

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");

export function begin(what, done) {
  round += 1;
  task = what;
  shown = null;
  held = false;
  ended = done;
  open(true);
  take.hidden = what !== "tiles";
  keep.hidden = turn.hidden = what === "tiles";
  show();
  look();
}

function end(kept) {
  round += 1;
  task = null;
  open(false);
  ended(kept);
}

function open(isOpen) {
  drawing.toggleAttribute("hidden", !isOpen); // a drawing has no such property
  verdict.hidden = row.hidden = !isOpen;
}

async function look() {
  const mine = round;
  while (mine === round) {
    if (!held) {
      const answer = await post(task === "tiles" ? "/api/camera/tiles/aim" : "/api/camera/aim", {});
      if (mine === round && !held) show(answer);
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

function show(answer = null) {
  shown = answer?.size ? answer : null;
  const isNow = Boolean(shown?.good) && (task === "tiles" || held || shown.origin === "found");
  keep.disabled = !shown?.good;
  take.disabled = !shown?.good;
  turn.disabled = !shown?.corners.length;
  const told = answer?.error ?? (shown?.says ? pick(shown.says) : "");
  const hint = say(task === "tiles" ? "camera_tiles_how" : "camera_aiming");
  text(verdict, told || (isNow ? say("camera_now") : hint));
  if (isNow && task === "tiles" && told) text(verdict, `${say("camera_now")} ${told}`);
  verdict.classList.toggle("good", isNow);
  redraw();
}

function redraw() {
  const [width, height] = shown?.size ?? [canvas.width || 16, canvas.height || 9];
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const side = Math.min(width, height) * (1 - 2 * INSET);
  const parts = [];
  if (!shown?.corners.length || shown.origin === "nowhere") {
    const [w, h] = task === "tiles" ? [width * (1 - 2 * INSET), height * (1 - 2 * INSET)] : [side, side];
    parts.push(draw("rect", { class: "frame", x: (width - w) / 2, y: (height - h) / 2, width: w, height: h }));
  }
  if (shown?.corners.length) {
    for (const zone of shown.zones) {
      parts.push(draw("polygon", { class: `zone${zone.refused ? " refused" : zone.doubt ? " doubt" : ""}`, points: points(zone.polygon) }));
    }
    parts.push(draw("polygon", { class: "table", points: points(shown.corners) }), first());
    parts.push(...shown.corners.map((corner, index) => handle(corner, index, Math.min(width, height))));
  }
  const focused = drawing.contains(document.activeElement) ? document.activeElement.dataset.index : null;
  drawing.replaceChildren(...parts);
  if (focused !== null) drawing.querySelector(`[data-index="${focused}"]`)?.focus();
}

function first() {
  const [[ax, ay], [bx, by]] = shown.corners;
  const size = Math.min(...shown.size) / 18;
  const label = draw("text", { x: (ax + bx) / 2, y: (ay + by) / 2 - size / 2, "font-size": size });
  label.textContent = say("camera_first_side");
  return label;
}

function handle([x, y], index, side) {
  const corner = draw("g", { class: "corner", tabindex: 0, role: "button", "aria-label": say("camera_corner", { n: index + 1 }), "data-index": index },
    draw("circle", { class: "reach", cx: x, cy: y, r: side / 11 }), draw("circle", { cx: x, cy: y, r: side / 45 }));
  corner.addEventListener("pointerdown", (event) => {
    held = true;
    dragged = index;
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  corner.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? FAR : 1;
    move(index, [x + far * step[0], y + far * step[1]]);
    place();
  });
  return corner;
}

function move(index, place) {
  held = true;
  shown = { ...shown, corners: shown.corners.map((corner, each) => (each === index ? place : corner)), zones: [] };
  redraw();
}

function place() {
  if (sending) waiting = true;
  else if (shown) placed = sendCorners();
}

// One answer after the other: the last one is of the corners as they are now.
async function sendCorners() {
  sending = true;
  do {
    const mine = round;
    waiting = false;
    const answer = await post("/api/camera/corners", { corners: shown.corners });
    if (mine === round && !waiting && dragged === null) show(answer);
  } while (waiting && shown);
  sending = false;
}

drawing?.addEventListener("pointermove", (event) => {
  if (dragged === null || !shown) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  move(dragged, [at.x, at.y]);
});
for (const kind of ["pointerup", "pointercancel"]) {
  drawing?.addEventListener(kind, () => {
    if (dragged === null) return;
    dragged = null;
    place();
  });
}

async function command(name) {
  await placed; // it would keep, or turn, corners of before
  const answer = await post(`/api/camera/${name}`, {});
  if (answer.error) text(verdict, answer.error);
  return answer.error ? null : answer;
}

keep?.addEventListener("click", async () => {
  held = true;
  if (await command("keep")) end(say("camera_kept"));
});
turn?.addEventListener("click", async () => {
  held = true;
  const answer = await command("turn");
  if (answer) show(answer);
});
take?.addEventListener("click", async () => {
  const answer = await command("tiles/take");
  if (answer) end(say("camera_taken", { n: answer.pictures }));
});
cancel?.addEventListener("click", () => end(""));
