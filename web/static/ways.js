// One of several ways: a list that opens, or all of them side by side where one has too long a name
// for a line of a phone.

import { make } from "./draw.js";

const LINE = 28; // letters; a Chinese one is as wide as two

// change: is told the place of what is chosen.
export function ways(names, chosen, change) {
  return names.some(isLong) ? buttons(names, chosen, change) : list(names, chosen, change);
}

// The label's words are the control's name.
export function named(control, label, id) {
  control.id = id;
  label.id = `${id}_name`;
  if (control.matches(".ways")) control.setAttribute("aria-labelledby", label.id);
  else label.htmlFor = id;
}

// What has the keyboard in it.
export const focusable = (control) => control?.querySelector(":checked:not(option)") ?? control;

const isLong = (name) => [...name].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0) > LINE;

function list(names, chosen, change) {
  const control = make("select", "", ...names.map((name, at) => new Option(name, at, false, at === chosen)));
  control.addEventListener("change", () => change(Number(control.value)));
  control.disabled = names.length < 2;
  return control;
}

let groups = 0;

function buttons(names, chosen, change) {
  const control = make("div", "ways");
  control.setAttribute("role", "radiogroup");
  groups += 1;
  const group = `ways${groups}`;
  control.append(...names.map((name, at) => {
    const button = Object.assign(make("input"), { type: "radio", name: group, checked: at === chosen, disabled: names.length < 2 });
    button.addEventListener("change", () => change(at));
    return make("label", "", button, make("span", "", name));
  }));
  return control;
}
