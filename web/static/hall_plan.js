// The plan of the hall: each table in its place, by colour and word; a director moves them.

import { make, say, sync, text } from "./draw.js";
import { again, ask } from "./hall_table.js";

const LOOK_MS = 1500;
const grid = document.getElementById("plan");
const move = document.getElementById("plan-move");
let tables = [];
let isMoving = false;
let chosen = null; // the table that is being moved
let tell = async () => null;

export function followPlan(telling) {
  if (telling) tell = telling;
  move?.addEventListener("click", () => {
    [isMoving, chosen] = [!isMoving, null];
    drawPlan();
  });
  again(LOOK_MS, async () => {
    ({ tables } = await ask("/api/plan"));
    drawPlan();
  });
}

export function drawPlan() {
  const spare = isMoving ? 1 : 0;
  const columns = Math.max(1, ...tables.map((each) => each.column)) + spare;
  const rows = Math.max(1, ...tables.map((each) => each.row)) + spare;
  const at = new Map(tables.map((each) => [`${each.row} ${each.column}`, each]));
  grid.parentElement.hidden = tables.length === 0;
  grid.style.setProperty("--columns", columns);
  if (move) {
    text(move, say(isMoving ? "plan_end" : "plan_move"));
    document.getElementById("plan-how").hidden = !isMoving;
  }
  const cells = Array.from({ length: rows * columns }, (_, n) => {
    const [row, column] = [Math.floor(n / columns) + 1, (n % columns) + 1];
    return { row, column, table: at.get(`${row} ${column}`) };
  });
  sync(grid, cells, ({ row, column }) => `${row} ${column} ${isMoving}`, newCell, drawCell);
}

function newCell(cell) {
  const item = make("li");
  const inner = make(isMoving ? "button" : "p", "", make("b"), make("span"));
  item.append(inner);
  if (!isMoving) return item;
  inner.addEventListener("click", () => choose(Number(item.dataset.table) || null, cell));
  item.addEventListener("dragstart", () => { chosen = Number(item.dataset.table) || null; });
  item.addEventListener("dragover", (event) => event.preventDefault());
  item.addEventListener("drop", (event) => {
    event.preventDefault();
    if (chosen !== null) choose(null, cell);
  });
  return item;
}

function drawCell(item, { row, column, table }) {
  const inner = item.firstElementChild;
  item.dataset.table = table?.table ?? "";
  item.draggable = isMoving && Boolean(table);
  inner.className = `cell ${table?.how ?? "free"}`;
  text(inner.firstElementChild, table?.name ?? "");
  text(inner.lastElementChild, table ? say(`plan_${table.how}`) : "");
  if (!isMoving) {
    item.ariaHidden = table ? null : "true";
    return;
  }
  const where = say("plan_cell", { row, column });
  inner.ariaLabel = table ? `${table.name}, ${where}` : where;
  inner.ariaPressed = String(chosen !== null && table?.table === chosen);
}

async function choose(table, { row, column }) {
  if (chosen === null) {
    chosen = table;
    drawPlan();
  } else {
    const moved = chosen;
    chosen = null;
    if (moved !== table) await tell("place", { table: moved, row, column });
    drawPlan();
  }
}
