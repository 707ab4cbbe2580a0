// The assistant: steps whose answers become changes of the settings' file, shown before written.

import { currentLanguage, make, pick, pressable, say, text } from "./draw.js";
import { ask, comeBack, find, showDiff, showTrouble, tell } from "./keeping.js";
import { PHONE, drawInvited, invite } from "./setup_phone.js";
import { choose as chooseLanguage, followSwitches } from "./switches.js";
import { focusable, named, ways } from "./ways.js";

const STEPS = ["language", "camera", "corners", "seats", "rules", "tiles", "board", "review"];
const NEEDS_TABLE = ["camera", "corners", "tiles", "board"]; // not where phones alone keep the score
const PICTURE_MS = 400;
const NO_PICTURE_MS = 60_000; // a browser writes each picture that does not come on its console
const TRIALS_MS = 700;

let state = null; // as the program has it
let step = "language";
let trials = null;
let draft = null; // what is chosen here: names, rules, options, source, set, port
let planned = null; // the changes that would be written
let byPhones = false; // people keep the score with their phones
const form = find("#form");
const input = (name) => form.elements[name];

// -- steps ----------------------------------------------------------------------------------------

function go(name) {
  step = name;
  for (const section of form.querySelectorAll("section")) section.hidden = section.dataset.step !== step;
  for (const button of find("#steps").querySelectorAll("button")) {
    const here = button.dataset.step === step;
    if (here) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    const place = steps().indexOf(button.dataset.step);
    button.parentElement.classList.toggle("done", place >= 0 && place < steps().indexOf(step));
    if (here) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  find("#back").disabled = step === "language";
  find("#next").hidden = step === "review";
  if (step === "review") review();
  if (step === "camera" || step === "board") devices();
  if (step === "rules") sheet();
}

// Without a camera there is no picture in which the table could lie.
const isLeftOut = (name) => (byPhones && NEEDS_TABLE.includes(name)) || (name === "corners" && draft?.source === "");
const steps = () => STEPS.filter((name) => !isLeftOut(name));
const move = (by) => go(steps()[Math.min(steps().length - 1, Math.max(0, steps().indexOf(step) + by))]);

function drawSteps() {
  for (const button of find("#steps").querySelectorAll("button")) {
    const { step: name } = button.dataset;
    button.parentElement.hidden = isLeftOut(name);
    text(button.firstElementChild, String(steps().indexOf(name) + 1));
  }
}

// From the first step on: a table with neither camera nor board.
function scoreByPhones() {
  byPhones = true;
  drawSteps();
  for (const name of ["source", "port"].filter((each) => draft[each])) {
    draft[name] = "";
    touch(name);
  }
  move(1);
}

// -- what is chosen -------------------------------------------------------------------------------

function begin() {
  const { values } = state;
  draft = {
    names: [...values.seats.names], rules: values.rules.id, options: { ...values.rules.chosen },
    source: values.camera.source, set: values.eyes.set, learns: values.eyes.learns, port: values.board.port,
    calibrated: false, touched: new Set(),
  };
}

const rulesOf = () => state.rules.find((each) => each.id === draft.rules);
const isDefault = (option) => draft.options[option.name] === undefined || draft.options[option.name] === option.default;

// Only what was touched here is changed; what is at its default is left out of the file.
function changes() {
  const found = {};
  const put = (section, key, value) => { (found[section] ??= {})[key] = value; };
  if (draft.touched.has("names")) put("seats", "names", draft.names.map((name) => name.trim()));
  if (draft.touched.has("rules")) {
    put("rules", "id", draft.rules);
    const differing = rulesOf().options.filter((option) => !isDefault(option));
    const options = Object.fromEntries(differing.map((option) => [option.name, draft.options[option.name]]));
    put("rules", "options", differing.length ? options : null);
    if (state.values.rules.profile) put("rules", "profile", null);
  }
  if (draft.touched.has("source")) put("camera", "source", draft.source || null);
  if (draft.calibrated && state.values.camera.corners) put("camera", "corners", null);
  if (draft.touched.has("set")) put("eyes", "set", draft.set || null);
  if (draft.touched.has("learns")) put("eyes", "learns", draft.learns ? null : false);
  if (draft.touched.has("port")) put("board", "port", draft.port || null);
  return found;
}

const touch = (what) => draft.touched.add(what);

// -- drawing --------------------------------------------------------------------------------------

function draw() {
  if (!state) return;
  text(find("#about"), state.file);
  showTrouble(state.mode === "table" ? null : state.trouble);
  find("#again").hidden = state.mode !== "recovery";
  find("#welcome").hidden = !state.is_new;
  find("#paused").hidden = state.mode !== "table";
  drawSteps();
  form.hidden = find("#steps").hidden = state.mode === "table";
  for (const label of form.querySelectorAll("[data-seat]")) text(label, say("seat", { n: +label.dataset.seat + 1 }));
  draft.names.forEach((name, seat) => { if (document.activeElement !== input(`seat${seat}`)) input(`seat${seat}`).value = name; });
  for (const button of form.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", button.dataset.language === currentLanguage());
  }
  drawRules();
  if (document.activeElement !== input("source")) input("source").value = /^(\d*|phone)$/.test(draft.source) ? "" : draft.source;
  if (document.activeElement !== input("port")) input("port").value = draft.port;
  const sets = [...new Set(["", ...state.sets, ...(draft.set ? [draft.set] : [])])];
  input("set").replaceChildren(...sets.map((name) => new Option(name || say("no_set"), name, false, name === draft.set)));
  input("learns").checked = draft.learns;
  text(find("#corners_state"), say(state.kept || draft.calibrated ? "calibrated" : "not_calibrated"));
  drawTrials();
  if (known) drawDevices();
}

function drawRules() {
  const { rules } = state;
  const profile = state.values.rules.profile;
  find("#profile_says").hidden = !profile;
  text(find("#profile_says"), say("profile_says", { file: profile }));
  input("rules").replaceChildren(...rules.map((each) => new Option(pick(each.names), each.id, false, each.id === draft.rules)));
  const { options, argued } = rulesOf() ?? { options: [], argued: 0 };
  const first = argued || options.length;
  find("#options").replaceChildren(...options.slice(0, first).map(drawOption));
  const more = find("#more_options");
  more.hidden = first === options.length;
  more.open ||= options.slice(first).some((option) => !isDefault(option));
  more.lastElementChild.replaceChildren(...options.slice(first).map(drawOption));
}

const shown = (option, value) => (option.values ? pick(option.said[option.values.indexOf(value)]) : String(value));

function drawOption(option) {
  const row = make("div", `option${isDefault(option) ? "" : " changed"}`);
  const label = make("label", "", pick(option.words));
  const value = draft.options[option.name] ?? option.default;
  let control;
  if (option.values) {
    const names = option.values.map((each) => shown(option, each));
    control = ways(names, option.values.indexOf(value), (at) => choose(option, option.values[at]));
  } else {
    control = make("input");
    Object.assign(control, { type: "number", min: option.least, max: option.most, value });
    control.addEventListener("change", () => {
      if (control.validity.valid && control.value !== "") choose(option, Number(control.value));
      else control.value = value;
    });
  }
  named(control, label, `option_${option.name}`);
  row.append(label, control, make("small", "", say("default", { value: shown(option, option.default) })));
  return row;
}

function choose(option, value) {
  draft.options[option.name] = value;
  touch("rules");
  const id = `option_${option.name}`;
  drawRules();
  focusable(document.getElementById(id))?.focus();
  sheet();
}

let asked = 0;
async function sheet() {
  const mine = ++asked;
  const options = Object.fromEntries((rulesOf()?.options ?? []).filter((o) => !isDefault(o)).map((o) => [o.name, draft.options[o.name]]));
  const found = await ask("/api/setup/sheet", { rules: draft.rules, options });
  if (!found || mine !== asked) return;
  const place = find("#sheet");
  place.replaceChildren(make("h3", "", pick(found.title)), ...found.sections.flatMap((section) => [
    make("h4", "", pick(section.title)),
    ...section.rows.map((row) => {
      const line = make("p", `${row.off ? "off" : ""}${row.changed ? " changed" : ""}`);
      const [head, ...rest] = [...(row.names ? [row.names] : []), ...row.words]; // an id is for files
      line.append(make("b", "", head ? pick(head) : row.id), row.value ? pick(row.value) : "");
      for (const words of rest) line.append(make("span", "", pick(words)));
      return line;
    }),
  ]));
}

// -- camera, corners, tiles, board ----------------------------------------------------------------

let known = null;
async function devices() {
  known = await ask("/api/setup/devices");
  if (known) drawDevices();
}

function choiceButton(label, pressed, act) {
  const button = pressable("main quiet", act, label);
  button.setAttribute("aria-pressed", pressed);
  return button;
}

function drawDevices() {
  find("#cameras").replaceChildren(
    choiceButton(say("no_camera"), draft.source === "", () => useCamera("")),
    choiceButton(say("camera_phone"), draft.source === PHONE, () => useCamera(PHONE)),
    ...known.cameras.map(({ source, name }) => choiceButton(name ? `${name} (${source})` : say("camera_n", { n: source }), draft.source === source, () => useCamera(source))),
    ...(known.cameras.length ? [] : [make("p", "soft", say("found_none"))]),
  );
  find("#wiring").hidden = draft.port === "";
  find("#ports").replaceChildren(
    choiceButton(say("no_board"), draft.port === "", () => usePort("")),
    ...known.ports.map((port) =>
      choiceButton(`${port.path}  ${port.description.replace(/^n\/a$/, "")}`, [port.path, port.selector].includes(draft.port), () => usePort(port.selector))),
  );
}

async function useCamera(source) {
  draft.source = source;
  touch("source");
  draw();
  if (source !== "") await look();
  if (source === PHONE) await invite();
}

let tries = 0; // an answer that was asked for before another one came is older, and not drawn

// A trial's command, whose answer tells how all of them stand; null where it was refused.
async function tryOut(path, content) {
  tries += 1;
  const found = await ask(path, content);
  tries += 1;
  if (found) trials = found;
  drawTrials();
  return found;
}

async function look() {
  if (draft.source === "") return;
  text(find("#camera_state"), say("looking"));
  await tryOut("/api/setup/camera", { source: draft.source });
  picture();
}

let showing = false;
function picture() {
  if (showing || !trials?.camera.source) return undefined;
  showing = true;
  const image = find("#live img");
  const fresh = new Image();
  const again = (ms) => setTimeout(() => { showing = false; if (step === "camera") picture(); }, ms);
  fresh.onload = () => {
    image.src = fresh.src;
    image.hidden = false;
    find(".seats .square").replaceChildren(fresh); // who sits at which side of it is asked next
    find("#live figcaption").hidden = true;
    find("#advise").disabled = false;
    again(PICTURE_MS);
  };
  fresh.onerror = () => again(NO_PICTURE_MS);
  if (trials.camera.size === null) return again(2 * PICTURE_MS); // it has given none yet
  fresh.src = `/api/setup/picture.jpg?${Date.now()}`;
  return undefined;
}

async function advise() {
  const list = find("#advice");
  list.replaceChildren(make("li", "", say("looking")));
  const found = await ask("/api/setup/advice", {});
  if (!found) return list.replaceChildren();
  const lines = found.advice.map((words) => pick(words));
  list.replaceChildren(...[say("seen", found), ...(lines.length ? lines : [say("fine")])].map((line) => make("li", "", line)));
}

async function calibrate() {
  if (!trials?.camera.source && draft.source !== "") await look();
  const found = await tryOut("/api/setup/calibrate", {});
  if (found) open(found.corners.address, "_blank", "noopener");
}

async function usePort(port) {
  draft.port = port;
  touch("port");
  draw();
}

const listen = (at) => tryOut("/api/setup/board", { at });

function sensorName(name) {
  let found = /^seat (\d) (.+)$/.exec(name);
  if (found) return say("sensor_seat", { n: +found[1] + 1, key: found[2] });
  found = /^(dice|lift key|lift|tray)(?: key)? (\d)$/.exec(name);
  if (found) return say(`sensor_${found[1].replace(" ", "")}`, { n: +found[2] + 1 });
  return say(name === "dome" ? "sensor_dome" : "sensor_wall");
}

function prompt(board) {
  for (let seat = 0; seat < 4; seat += 1) {
    const own = board.names.filter((name) => name.startsWith(`seat ${seat} `));
    if (own.length && !own.some((name) => board.seen.includes(name))) return say("press_seat", { n: seat + 1 });
  }
  const missing = board.names.find((name) => !board.seen.includes(name));
  return missing ? say("press_other", { what: sensorName(missing) }) : "";
}

function drawTrials() {
  if (!trials) return;
  const { camera, corners, tiles, board } = trials;
  const size = camera.size ? say("size", { width: camera.size[0], height: camera.size[1] }) : "";
  drawInvited(step === "camera" && draft.source === PHONE);
  text(find("#camera_state"), pick(camera.says) || size || (camera.source ? say("looking") : ""));
  if (corners.kept && !draft.calibrated) {
    draft.calibrated = true;
    draw();
  }
  const page = find("#calibrate_page");
  page.hidden = !corners.address || corners.kept;
  if (corners.address) page.href = corners.address;
  text(find("#snapped"), tiles.pictures ? say("snapped", { n: tiles.pictures }) : "");
  const progress = find("#enrol_progress");
  progress.hidden = tiles.state !== "reading" || tiles.address !== "";
  Object.assign(progress, { max: tiles.pictures || 1, value: tiles.read });
  find("#enrol_lines").replaceChildren(...tiles.lines.map((line) => make("li", "", pick(line))));
  find("#enrol_page").hidden = !tiles.address;
  if (tiles.address) find("#enrol_page").href = tiles.address;
  find("#unlisten").hidden = board.state === "idle";
  const says = board.state === "waiting" ? [{ state: "doubt", words: say("waiting") }] : board.findings;
  find("#board_findings").replaceChildren(...(board.state === "idle" ? [] : says).map((each) => {
    const line = make("li", each.state, each.words ?? pick(each.says));
    if (each.advice) line.append(make("br"), make("span", "soft", pick(each.advice)));
    return line;
  }));
  const wanted = board.state === "listening" ? prompt(board) : null;
  find("#prompt").hidden = wanted === null;
  if (wanted !== null) text(find("#prompt"), wanted ? say("press", { what: wanted }) : say("all_seen"));
  find("#sensors").replaceChildren(...(board.state === "listening" ? board.names : []).map((name) =>
    make("li", board.seen.includes(name) ? "seen" : "", sensorName(name))));
}

let enrolled = "";
async function follow() {
  if (state && state.mode !== "table" && ["camera", "corners", "tiles", "board"].includes(step)) {
    const mine = tries;
    const found = await ask("/api/setup/trials");
    if (found && mine === tries) {
      trials = found;
      drawTrials();
      if (found.tiles.state === "done" && enrolled) {
        draft.set = enrolled;
        touch("set");
        if (!state.sets.includes(enrolled)) state.sets.push(enrolled);
        enrolled = "";
        draw();
      }
    }
  }
  setTimeout(follow, TRIALS_MS);
}

// -- saving ---------------------------------------------------------------------------------------

let reviewed = 0;
async function review() {
  const mine = ++reviewed;
  const says = find("#review_says");
  // Nothing of an earlier review stays: it would be saved, or its button would do nothing.
  planned = null;
  find("#save").hidden = true;
  find("#start").hidden = true;
  showDiff(find("#diff"), []);
  text(says, "");
  const wanted = changes();
  const found = await ask("/api/setup/preview", { base: state.base, changes: wanted });
  if (!found || mine !== reviewed) return;
  showDiff(find("#diff"), found.diff);
  says.className = found.trouble ? "wrong-text" : "";
  if (found.trouble) text(says, `${pick(found.trouble.says)} ${pick(found.trouble.advice)}`);
  else text(says, say(found.diff.length ? "will_change" : state.is_new ? "as_it_is" : "nothing_changes", { file: state.file }));
  planned = wanted;
  // A new table may be saved with nothing but defaults: there is then a file to begin with.
  const saves = Boolean(found.diff.length) || state.is_new;
  find("#save").hidden = !saves;
  find("#start").hidden = saves || Boolean(found.trouble);
}

async function save() {
  const found = await ask("/api/setup/save", { base: state.base, changes: planned });
  if (!found) return;
  state = found;
  begin();
  draw();
  tell(say("saved"));
  review();
}

async function start() {
  if (await ask("/api/setup/start", { by_phones: byPhones })) {
    tell(say("starting"));
    comeBack("/");
  }
}

// -- what a person does ---------------------------------------------------------------------------

find("#steps").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) go(button.dataset.step);
});
find("#back").addEventListener("click", () => move(-1));
find("#next").addEventListener("click", () => {
  const empty = [0, 1, 2, 3].filter((seat) => !input(`seat${seat}`).value.trim());
  for (let seat = 0; seat < 4; seat += 1) input(`seat${seat}`).parentElement.classList.toggle("wrong", empty.includes(seat));
  if (step === "seats" && empty.length) {
    tell(say("first_name"), true);
    input(`seat${empty[0]}`).focus();
    return;
  }
  move(1);
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  const { name, value } = event.target;
  if (name.startsWith("seat")) {
    draft.names[+name.slice(4)] = value;
    touch("names");
  } else if (name === "source") {
    draft.source = value.trim();
    touch("source");
    if (known) drawDevices();
    drawSteps();
  } else if (name === "port") {
    draft.port = value.trim();
    touch("port");
    if (known) drawDevices();
  } else if (name === "set") {
    draft.set = value;
    touch("set");
  } else if (name === "learns") {
    draft.learns = event.target.checked;
    touch("learns");
  } else if (name === "rules") {
    draft.rules = value;
    draft.options = {};
    touch("rules");
    drawRules();
    sheet();
  }
});
for (const button of form.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => {
    if (button.dataset.language !== currentLanguage()) chooseLanguage(button.dataset.language);
    move(1);
  });
}
find("#by_phones").addEventListener("click", scoreByPhones);
find("#try").addEventListener("click", look);
find("#advise").addEventListener("click", advise);
find("#calibrate").addEventListener("click", calibrate);
find("#snap").addEventListener("click", async () => {
  if (!trials?.camera.source && draft.source !== "") await look();
  await tryOut("/api/setup/tiles/picture", {});
});
find("#photographs").addEventListener("change", async ({ target }) => {
  const files = [...target.files];
  target.value = "";
  for (const file of files) {
    if (!(await tryOut("/api/setup/tiles/photograph", file))) return;
  }
});
find("#forget").addEventListener("click", () => tryOut("/api/setup/tiles/clear", {}));
find("#enrol").addEventListener("click", async () => {
  const name = input("set_name").value.trim() || draft.set || "home";
  if (await tryOut("/api/setup/tiles/read", { name })) enrolled = name;
});
find("#listen").addEventListener("click", () => draft.port && listen(draft.port));
find("#unlisten").addEventListener("click", () => listen(""));
find("#save").addEventListener("click", () => planned !== null && save());
find("#start").addEventListener("click", start);
find("#again").addEventListener("click", start);
find("#pause").addEventListener("click", async () => {
  if (await ask("/api/setup/pause", {})) {
    tell(say("starting"));
    comeBack("/setup");
  }
});

followSwitches(() => { draw(); if (step === "rules") sheet(); if (step === "review") review(); });
const loaded = await ask("/api/setup");
if (loaded) {
  state = loaded;
  begin();
  draw();
  go(["camera", "corners", "rules"].includes(state.trouble?.kind) ? state.trouble.kind : "language");
  follow();
}
