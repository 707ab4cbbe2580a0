// The colours that players have chosen for their lines.

const root = document.documentElement;
let shown = ""; // for whom

export function drawColours(view) {
  const now = [view.hand, ...view.seats.map((seat) => seat.name)].join("\n");
  if (now === shown) return;
  shown = now;
  lookForColours();
}

export async function lookForColours() {
  const reply = await fetch("/api/regulars/colours", { cache: "no-store" }).catch(() => null);
  if (!reply?.ok) return;
  (await reply.json()).colours.forEach((colour, seat) => {
    if (colour) root.style.setProperty(`--own-${seat}`, `var(--colour-${colour})`);
    else root.style.removeProperty(`--own-${seat}`);
  });
}
