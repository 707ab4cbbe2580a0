// A row of buttons of which some are chosen.

import { pressable, sync, text } from "./draw.js";

// label, key: of an item; chosen: whether it is; choose: takes it.
export function choices(row, items, { label, chosen, choose, key = (item) => item }) {
  sync(row, items, key, () => {
    const button = pressable("", () => button.choose());
    return button;
  }, (button, item) => {
    text(button, String(label(item)));
    button.setAttribute("aria-pressed", String(chosen(item)));
    button.choose = () => choose(item);
  });
}
