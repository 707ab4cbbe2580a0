// The stream of views, and the table as this page saw it last, for when it cannot be reached.

import { spoken } from "./draw.js";
import { followLine, leave } from "./line.js";
import { local, read } from "./store.js";
import { now } from "./time.js";

export { isLost, silence } from "./line.js";

const { delay, view: kind, own } = document.body.dataset; // delay, seconds: streams' pictures come late
const asked = new URLSearchParams({ ...(delay && { delay }), ...(spoken[2] && { lang: spoken[2] }) });
const LAST = `table-last ${kind} ${own ?? ""}`;
const KEPT_MS = 3000;

let run = null; // the program's run: another one means that this page itself may be old
let clock = 0; // seconds to add to this device's clock to get the program's
let kept = -Infinity; // when a view was kept last
let isOld = false; // what is shown is what this page saw last: the table was never reached

// The program's clock, in seconds since the epoch: devices' own clocks may be wrong.
export const programTime = () => Date.now() / 1000 + clock;

// Follow the stream from now on. Who wants to be called or told hears it with the page hidden, too.
export function follow({ onView, onHealth = () => {}, onTime = () => {}, onWaiting = () => {} }) {
  const setClock = (said) => {
    clock = said.now - Date.now() / 1000;
    onTime();
  };
  const reactions = {
    hello(hello) {
      if (isOld || (run !== null && run !== hello.run)) return away();
      run = hello.run;
      return setClock(hello);
    },
    beat: setClock,
    waiting: onWaiting,
    view(view) {
      keepLast(view);
      onView(view);
    },
    health: onHealth,
    lost() {
      const last = run === null && !isOld ? read(local, LAST, null) : null;
      if (last === null) return;
      isOld = true;
      onView(last);
    },
  };
  const stays = () => read(local, "table-signals", []).length > 0;
  followLine(asked.size ? `/api/stream?${asked}` : "/api/stream", (name, data) => reactions[name](data), stays);
}

// This page belongs to a program that has ended: until the new one is there it draws nothing of what
// comes, and nobody taps on it what would be lost with it.
function away() {
  leave();
  document.body.inert = true;
  location.reload();
}

// Secrets and questions are left out: nobody could answer them.
function keepLast(view) {
  if (now() - kept < KEPT_MS) return;
  kept = now();
  local.set(LAST, JSON.stringify({ ...view, questions: [], claims: null, treasure: view.treasure && { ...view.treasure, tiles: [] } }));
}
