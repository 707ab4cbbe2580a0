// A link of the staff's is used up by a tap, and not by being looked at.

import { post } from "./ask.js";
import { text } from "./draw.js";
import { followSwitches } from "./switches.js";

document.getElementById("enter").addEventListener("click", async () => {
  const got = await post("/api/desk/enter", { link: location.hash.slice(1) || "-" });
  if (got.error) text(document.getElementById("told"), got.error);
  else location.replace("/desk");
});
followSwitches(() => {});
