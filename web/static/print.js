// Pages to print. The sheet for the wall has the largest letters with which it fits on two pages.

const PAGES_PX = (2 * (297 - 24) - 8) * (96 / 25.4); // the last line of a column may stay empty
const wall = document.querySelector("main.wall");

document.querySelector("button").addEventListener("click", () => print());
for (let pt = 9.5; wall && pt >= 6; pt -= 0.25) {
  wall.style.fontSize = `${pt}pt`;
  if (wall.offsetHeight <= PAGES_PX) break;
}
