// The colours that players have chosen for their lines.

import { insist } from "./net.js";

const root = document.documentElement;
let shown = ""; // for whom

export function drawColours(view) {
  const now = [view.hand, ...view.seats.map((seat) => seat.name)].join("\n");
  if (now === shown) return;
  shown = now;
  lookForColours();
}

export async function lookForColours() {
  const found = await insist("/api/regulars/colours");
  found?.colours.forEach((colour, seat) => {
    if (colour) root.style.setProperty(`--own-${seat}`, `var(--colour-${colour})`);
    else root.style.removeProperty(`--own-${seat}`);
  });
}
