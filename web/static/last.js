// The table as this page saw it last, for when it cannot be reached. Secrets and questions are left
// out: nobody could answer them.

const NAME = `table-last ${document.body.dataset.view} ${document.body.dataset.own ?? ""}`;
const EVERY_MS = 3000;
let at = 0;

export function keepLast(view) {
  if (performance.now() - at < EVERY_MS && at) return;
  at = performance.now();
  const open = { ...view, questions: [], claims: null, treasure: view.treasure && { ...view.treasure, tiles: [] } };
  try {
    localStorage.setItem(NAME, JSON.stringify(open));
  } catch {
    // a browser that keeps nothing
  }
}

export function lastSeen() {
  try {
    return JSON.parse(localStorage.getItem(NAME));
  } catch {
    return null;
  }
}
