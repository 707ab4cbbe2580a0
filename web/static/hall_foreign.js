// Hands that were played by another rule profile than their session: counted, and said.

import { make, say, sync, text } from "./draw.js";

export function drawForeign(list, foreign) {
  sync(list, foreign, (each, n) => `${each.table} ${n}`, () => make("li", "bad"), (item, each) =>
    text(item, say("profile_foreign", each)));
}
