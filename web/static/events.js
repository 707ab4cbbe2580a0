// What happened in this hand, newest first, and taking it back.

import { press } from "./ask.js";
import { make, pick, pressable, say, sync, text, tiles } from "./draw.js";

const ARMED_MS = 5000;

const panel = document.getElementById("events");
let shown = null; // the view that was drawn last
let armed = null; // the entry whose "take back" was tapped once
let timer = 0; // until when

export function drawEvents(view) {
  shown = view;
  if (panel === null) return;
  sync(panel.querySelector("#notices"), view.notices, (_, index) => index, () => make("li"), (li, words) => text(li, pick(words)));
  sync(panel.querySelector("ol"), view.events, (event) => event.seq, newEvent, drawEvent);
  panel.querySelector(".empty").hidden = view.events.length > 0;
}

function newEvent(event) {
  const what = make("div", "what", make("span", "text"), make("span", "tiles"), make("span", "mark"));
  return make("li", "", make("time"), what, pressable("undo", () => takeBack(event.seq)));
}

function drawEvent(li, event) {
  const [time, what, undo] = li.children;
  const [words, drawn, mark] = what.children;
  const when = new Date(event.t * 1000);
  text(time, when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }));
  time.dateTime = when.toISOString();
  time.title = `${when.toLocaleTimeString("en-GB")}, ${pick(event.source)}`;
  text(words, pick(event.text));
  tiles(drawn, event.tiles);
  drawn.hidden = event.tiles.length === 0;
  text(mark, say("doubtful"));
  mark.hidden = !event.doubtful;
  const isArmed = armed === event.seq;
  undo.hidden = !event.undo;
  undo.classList.toggle("armed", isArmed);
  text(undo, isArmed ? say("take_back_sure") : "↶");
  undo.title = say("take_back");
  undo.setAttribute("aria-label", `${say(isArmed ? "take_back_sure" : "take_back")} ${pick(event.text)}`);
}

async function takeBack(seq) {
  if (armed !== seq) {
    armed = seq;
    clearTimeout(timer);
    timer = setTimeout(() => {
      armed = null;
      drawEvents(shown);
    }, ARMED_MS);
    return drawEvents(shown);
  }
  armed = null;
  clearTimeout(timer);
  drawEvents(shown);
  return press("/api/undo", { seq });
}
