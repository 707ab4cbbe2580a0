// The list of what the desk did, the latest first; each can be taken back.

import { make, pick, say, sync, text } from "./draw.js";
import { again, ask, button } from "./hall_table.js";

const LOOK_MS = 3000;
const list = document.getElementById("acts");
const none = document.getElementById("no-acts");
let acts = [];
let tell = async () => null;

export function followActs(telling) {
  tell = telling;
  again(LOOK_MS, async () => {
    ({ acts } = await ask("/api/desk/acts"));
    drawActs();
  });
}

export function drawActs() {
  none.hidden = acts.length > 0;
  sync(list, acts, (act) => `${act.act} ${act.undone !== ""}`, newAct, (item, act) => {
    const says = act.undoes === null ? pick(act.says) : say("staff_takes_back", { says: pick(act.says) });
    const at = new Date(act.at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    text(item.children[0], say("staff_act", { says, by: act.by, at }));
    text(item.children[1], act.undone ? say("staff_undone", { name: act.undone }) : "");
  });
}

function newAct(act) {
  const undo = act.may_undo && button("staff_undo", () => tell("undo", { act: act.act }));
  return make("li", "", make(act.undone ? "del" : "span"), make("span", "empty"), undo);
}

