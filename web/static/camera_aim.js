// Showing where the table is: a frame to aim with, what is found drawn over the picture, and "now".

import { post } from "./ask.js";
import { Corners, draw, points } from "./corners.js";
import { pick, say, text } from "./draw.js";

const LOOK_MS = 700;
const INSET = 0.08; // of the picture's shorter side around the frame

const drawing = document.getElementById("aim");
const verdict = document.getElementById("verdict");
const canvas = document.getElementById("sent");
const row = document.getElementById("aiming");
const [keep, take, turn, cancel] = ["keep", "take", "turn", "cancel"].map((name) => row?.querySelector(`.${name}`));

let task = null; // table, tiles, or nothing
let shown = null; // the table's last answer
let held = false; // a person has taken the corners over
let ended = () => {};
let round = 0; // of aiming: what an earlier one still asks for counts no more
const layer = draw("g", {});
const corners = drawing && new Corners(drawing, async (at) => {
  const mine = round;
  const answer = await post("/api/camera/corners", { corners: at });
  return () => mine === round && corners.dragged === null && show(answer);
}, moved);
drawing?.append(layer, ...corners.handles);

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
  corners.at = shown?.corners ?? [];
  const isNow = Boolean(shown?.good) && (task === "tiles" || held || shown.origin === "found");
  keep.disabled = !shown?.good;
  take.disabled = !shown?.good;
  turn.disabled = !corners.at.length;
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
  if (!corners.at.length || shown.origin === "nowhere") {
    const [w, h] = task === "tiles" ? [width * (1 - 2 * INSET), height * (1 - 2 * INSET)] : [side, side];
    parts.push(draw("rect", { class: "frame", x: (width - w) / 2, y: (height - h) / 2, width: w, height: h }));
  }
  if (corners.at.length) {
    for (const zone of shown.zones) {
      parts.push(draw("polygon", { class: `zone${zone.refused ? " refused" : zone.doubt ? " doubt" : ""}`, points: points(zone.polygon) }));
    }
    parts.push(draw("polygon", { class: "table", points: points(corners.at) }), first());
  }
  layer.replaceChildren(...parts);
  corners.draw((number) => say("camera_corner", { n: number }));
}

function first() {
  const [[ax, ay], [bx, by]] = corners.at;
  const size = Math.min(...shown.size) / 18;
  const label = draw("text", { x: (ax + bx) / 2, y: (ay + by) / 2 - size / 2, "font-size": size });
  label.textContent = say("camera_first_side");
  return label;
}

function moved() {
  held = true;
  shown = { ...shown, zones: [] };
  redraw();
}

async function command(name) {
  await corners.placed; // it would keep, or turn, corners of before
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
