// The calibration page: four corners on the picture. Where the zones lie is asked of the program,
// which reads tiles by the very same geometry.

import { Corners, draw, points } from "./corners.js";
import { call } from "./net.js";
import { ask, dress, find, language, make, say, whenSpokenOtherwise } from "./own_page.js";

const KINDS = ["hand", "melds", "wall", "river", "dice", "birds"];

let state = null;
let wanted = null; // mm, of the window over the dice

// -- talking to the program -----------------------------------------------------------------------

const corners = new Corners(find("#drawn"), async (at) => {
  const view = await ask("api/calibrate/corners", { corners: at });
  return () => view && show(view, corners.dragged !== null);
}, drawCorners);

async function command(name, content = {}) {
  await corners.placed; // it would save, or turn, corners of before
  const view = await ask(`api/calibrate/${name}`, content);
  if (view) show(view, corners.dragged !== null);
}

function markWell(mm) {
  wanted = mm;
  corners.placed = corners.placed.then(async () => {
    if (mm !== wanted) return; // it was dragged on
    const view = await ask("api/calibrate/well", { mm });
    if (view) show(view, corners.dragged !== null);
  });
}

// -- drawing --------------------------------------------------------------------------------------

const grade = (zone) => (zone.refused ? "refused" : zone.doubt ? "doubtful" : "");
const [zones, border, seat] = [draw("g", {}), draw("polygon", { class: "border" }), draw("text", { class: "seat" })];
find("#drawn").append(zones, border, seat, ...corners.handles);

function drawCorners() {
  const { at } = corners;
  border.setAttribute("points", points(at));
  const size = 16 * corners.scale;
  seat.setAttribute("font-size", size);
  seat.setAttribute("stroke-width", size / 5);
  seat.setAttribute("x", (at[0][0] + at[1][0]) / 2);
  seat.setAttribute("y", (at[0][1] + at[1][1]) / 2 + size / 3);
  seat.textContent = say("seat0");
  corners.draw((number) => say("corner", number));
  look(corners.dragged);
}

// Under a finger nothing is seen: the picture's own pixels around the corner, beside it.
function look(index) {
  const lens = find("#lens");
  lens.hidden = index === null;
  if (index === null) return;
  const [x, y] = corners.at[index];
  const half = lens.clientWidth / 2;
  lens.classList.toggle("right", x < state.size[0] / 2);
  lens.style.backgroundImage = `url(${find("#picture").src})`;
  lens.style.backgroundSize = `${state.size[0]}px ${state.size[1]}px`;
  lens.style.backgroundPosition = `${half - x}px ${half - y}px`;
}

function drawZones() {
  zones.replaceChildren(...state.zones.map((zone) =>
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
  state = view;
  corners.isFixed = view.kept;
  if (!keep) corners.at = view.corners;
  find("#drawn").setAttribute("viewBox", `0 0 ${view.size[0]} ${view.size[1]}`);
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
  find("#picture").alt = say("title");
  dress(say("title"));
  if (view.kept) call("api/calibrate/seen", {}); // the program ends when it knows
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

find("#find").addEventListener("click", () => command("find"));
find("#turn").addEventListener("click", () => command("turn"));
find("#well input").addEventListener("input", (event) => markWell(event.target.valueAsNumber));
find("#save").addEventListener("click", () => command("save"));
whenSpokenOtherwise(() => show(state));
addEventListener("resize", () => state && drawCorners());
ask("api/calibrate").then((view) => view && show(view));
