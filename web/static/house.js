// A house's rules: chosen with a hand under each, named, printed, kept as a file, shown as a code.

import { make, pick, say, text, tiles } from "./draw.js";
import { ask, find, showDiff, tell } from "./keeping.js";
import { followSwitches } from "./switches.js";
import { focusable, named, ways } from "./ways.js";

const house = find("#house");
let view = null; // the profile as the program has it
let draft = null; // what is chosen here, which the program may not have answered yet
let planned = null; // the changes that would be written
let asked = 0;

// -- choosing -------------------------------------------------------------------------------------

// Several choices may be on their way: only the last one's answer is drawn.
async function choose(changes, focus = "") {
  Object.assign(draft, changes);
  const mine = ++asked;
  const found = await ask("/api/house", draft);
  if (mine !== asked) return;
  show(found);
  focusable(document.getElementById(focus))?.focus();
}

function show(found) {
  if (found) view = found;
  if (!view) return;
  draft = { id: view.name ? view.id : "", name: view.name, rules: view.rules, options: { ...view.options } };
  draw();
}

function pickValue(row, value) {
  const options = { ...draft.options, [row.name]: value };
  if (value === row.default) delete options[row.name];
  choose({ options }, `rule_${row.name}`);
}

// -- drawing --------------------------------------------------------------------------------------

function draw() {
  house.hidden = false;
  find("#set").replaceChildren(...view.rule_sets.map((each) => new Option(pick(each.names), each.id, false, each.id === view.rules)));
  if (document.activeElement !== find("#name")) find("#name").value = view.name;
  text(find("#changed"), say("house_changed", { n: Object.keys(view.options).length, all: view.rows.length }));
  find("#rows").replaceChildren(...view.rows.map(drawRow));
  const profile = encodeURIComponent(view.text);
  for (const language of ["en", "zh"]) find(`#print_${language}`).href = `/rules/sheet?lang=${language}&profile=${profile}`;
  Object.assign(find("#save"), { href: `data:application/toml;charset=utf-8,${profile}`, download: `${view.id}.toml` });
  find("#code").hidden = !view.fits_code;
  find("#code").alt = view.fits_code ? view.text : "";
  if (view.fits_code) find("#code").src = `/rules/code.svg?profile=${profile}`;
  text(find("#code_says"), say(view.fits_code ? "house_code" : "house_too_long"));
  find("#writing").hidden = true;
}

function drawRow(row) {
  const changed = row.value !== row.default;
  const item = make("li", changed ? "rule changed" : "rule");
  const label = make("label", "", pick(row.words));
  const control = row.is_amount ? amount(row) : choices(row);
  named(control, label, `rule_${row.name}`);
  item.append(label, control);
  if (changed) item.append(make("small", "", say("house_default", { value: pick(row.said_default) })));
  if (row.unseen) item.append(make("p", "unseen", pick(row.unseen)));
  item.append(...row.shown.map((shown) => drawShown(row, shown)));
  return item;
}

function choices(row) {
  const chosen = row.choices.findIndex((each) => each.value === row.value);
  return ways(row.choices.map((each) => pick(each.says)), chosen, (at) => pickValue(row, row.choices[at].value));
}

function amount(row) {
  const control = Object.assign(make("input"), { type: "number", min: row.least, max: row.most, value: row.value });
  control.addEventListener("change", () => {
    if (control.validity.valid && control.value !== "") pickValue(row, Number(control.value));
    else control.value = row.value;
  });
  return control;
}

function drawShown(row, shown) {
  const box = make("div", "shown");
  const table = make("dl");
  const hands = make("div", "hands");
  for (const hand of shown.hands) {
    const line = make("div", "hand");
    tiles(line, hand);
    hands.append(line);
  }
  const told = shown.situation.map((words) => pick(words)).join(say("apart"));
  for (const each of shown.outcomes) {
    const pair = make("div", each.value === row.value ? "chosen" : "");
    pair.append(make("dt", "", say("house_at", { value: pick(each.says) })), make("dd", "", pick(each.comes_to)));
    table.append(pair);
  }
  box.append(hands, make("p", "situation", say("house_example", { told })), table);
  return box;
}

// -- in and out -----------------------------------------------------------------------------------

async function opened(found) {
  if (!found) return;
  show(found);
  tell(say("house_opened", { name: view.name || view.id }));
}

find("#open").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) opened(await ask("/api/house/file", { text: await file.text() }));
});

find("#scan").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const found = await ask("/api/house/picture", file);
  if (found !== null) opened(found);
});

// What the settings would be is shown before they are written.
find("#use")?.addEventListener("click", async () => {
  const state = await ask("/api/setup");
  if (!state) return;
  const rules = { id: view.rules, options: Object.keys(view.options).length ? view.options : null, name: view.name || null, house: view.name ? view.id : null, profile: null };
  planned = { base: state.base, changes: { rules } };
  const found = await ask("/api/setup/preview", planned);
  if (!found) return;
  if (!found.diff.length) tell(say("house_same"));
  else showDiff(find("#diff"), found.diff);
  find("#writing").hidden = !found.diff.length;
});

find("#write")?.addEventListener("click", async () => {
  const written = await ask("/api/setup/save", planned);
  if (!written) return;
  find("#writing").hidden = true;
  tell(say("house_written"));
});

find("#set").addEventListener("change", (event) => choose({ rules: event.target.value, options: {} }));
find("#name").addEventListener("change", (event) => choose({ name: event.target.value, id: "" }));

// An admin begins with what the settings say, which may have a name; others with what is played.
async function begin() {
  const settings = house.dataset.writes ? await ask("/api/setup") : null;
  const rules = settings?.readable && !settings.values.rules.profile ? settings.values.rules : null;
  if (rules) show(await ask("/api/house", { id: rules.house, name: rules.name, rules: rules.id, options: rules.options }));
  else show(await ask("/api/house"));
}

followSwitches(() => view && draw());
begin();
