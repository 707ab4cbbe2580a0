// One entry of the record: its picture, putting a tile right, taking it back.

import { post, send } from "./ask.js";
import { shownWith } from "./corrected.js";
import { isolated, make, pick, say, sync, text, tile } from "./draw.js";
import { pickTile } from "./picker.js";
import { linesOf, tellChange } from "./change.js";

const dialog = document.getElementById("entry");
const image = dialog.querySelector("img");
const told = dialog.querySelector(".told");
const sure = dialog.querySelector(".sure");
let shown = null;
let done = () => {};

// Show an entry; `after` is called when it was changed.
export function openEntry(entry, after) {
  shown = entry;
  done = after;
  text(dialog.querySelector("h2"), pick(entry.text));
  const when = new Date(entry.t * 1000).toLocaleString("en-GB");
  text(dialog.querySelector(".who"), `${entry.seq} · ${when} · ${isolated(entry.by || pick(entry.source))}`);
  picture("overlay");
  drawTiles();
  tellChange(told, []);
  sure.hidden = true;
  dialog.showModal();
}

function picture(kind) {
  const has = Boolean(shown.evidence);
  dialog.querySelector(".views").hidden = !has;
  dialog.querySelector(".none").hidden = has;
  image.hidden = !has;
  if (has) image.src = `/api/evidence/${encodeURIComponent(shown.evidence)}/${kind}.jpg`;
  image.alt = say(kind === "overlay" ? "as_read" : "clean");
  for (const button of dialog.querySelectorAll("[data-picture]")) {
    button.setAttribute("aria-pressed", String(button.dataset.picture === kind));
  }
}

// The faces that the event names, each with how to put another one in its place.
function places({ event }) {
  if (event.type === "HandShown") return placesOfShown(event);
  const found = [];
  for (const key of ["concealed", "tiles"]) {
    (Array.isArray(event[key]) ? event[key] : []).forEach((name, index) =>
      found.push([name, (face) => ({ ...event, [key]: event[key].map((each, place) => (place === index ? face : each)) })]),
    );
  }
  if (typeof event.tile === "string") found.push([event.tile, (face) => ({ ...event, tile: face })]);
  return found;
}

// The winning tile last and once, though it is among the concealed ones.
function placesOfShown(event) {
  const rest = [...event.concealed];
  const at = rest.lastIndexOf(event.winning_tile);
  if (at >= 0) rest.splice(at, 1);
  const names = [...rest, event.winning_tile];
  return names.map((name, index) => [name, (face) => shownWith(event, name, face, index === rest.length)]);
}

function drawTiles() {
  const all = places(shown);
  dialog.querySelector(".wrong").hidden = all.length === 0;
  sync(dialog.querySelector(".tiles-of"), all, ([name], index) => `${index} ${name}`, ([name]) => make("button", "face", tile(name)), (button, [name, corrected]) => {
    button.onclick = () => correct(name, corrected);
  });
}

function correct(from, corrected) {
  const body = (face) => ({ seq: shown.seq, event: corrected(face) });
  pickTile({
    title: say("which_correct"),
    button: say("put_right"),
    from,
    async preview(face) {
      const change = await post("/api/preview", { command: "correct", body: body(face) });
      return { lines: linesOf(change), refused: Boolean(change.error) };
    },
    async accept(face) {
      const refused = await send("/api/correct", body(face));
      if (refused === null) finish();
      return refused;
    },
  });
}

async function foretell() {
  const entry = shown;
  const change = await post("/api/preview", { command: "undo", body: { seq: entry.seq } });
  if (entry !== shown) return; // another one is open by now
  sure.hidden = Boolean(change.error);
  tellChange(told, change.error ? [change.error] : [say("take_back_this"), ...linesOf(change)]);
}

async function takeBack() {
  sure.hidden = true; // once
  const refused = await send("/api/undo", { seq: shown.seq });
  if (refused === null) finish();
  else tellChange(told, [refused]);
}

function finish() {
  dialog.close();
  done();
}

for (const button of dialog.querySelectorAll("[data-picture]")) {
  button.addEventListener("click", () => picture(button.dataset.picture));
}
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
dialog.querySelector(".back").addEventListener("click", foretell);
sure.addEventListener("click", takeBack);
