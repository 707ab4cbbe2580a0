// Addresses for another delay: the server makes them.

import { followSwitches } from "./switches.js";

document.getElementById("late").addEventListener("submit", (event) => {
  event.preventDefault();
  location.search = new URLSearchParams({ delay: document.getElementById("delay").valueAsNumber });
});
followSwitches(() => {});
