// The birds after a win: photographed, or tapped one after the other, and then shown.

import { send } from "./ask.js";
import { make, say, text } from "./draw.js";
import { follow } from "./live.js";
import { drawHand, newTile, nobody, pieces } from "./photo_hand.js";
import { openPad } from "./photo_pad.js";
import { sendPhoto, shrunk } from "./photo_send.js";

const section = document.getElementById("birds");
const button = section.querySelector(".send");

// How many birds are still to be turned.
const due = ({ settlement }) =>
  settlement?.birds?.reduce((most, each) => Math.max(most, each.due - each.turned.length), 0) ?? 0;

export function tellBirds(page, problem) {
  const left = due(page.table);
  const turned = [];
  let leaves = false;
  follow({ onView: (view) => due(view) === 0 && leave() }); // somebody else may have told them
  section.hidden = false;
  section.querySelector("input").addEventListener("change", async ({ target: { files } }) => {
    const answer = await sendPhoto("/api/photo", await shrunk(files[0]), () => problem(say("photo_waiting")));
    if (answer.error) return problem(answer.error);
    problem("");
    turned.splice(0, turned.length, ...pieces({ ...nobody(), ...answer.hand }).slice(0, left));
    return show();
  });
  button.addEventListener("click", record);
  const pad = make("div");
  pad.className = "pad";
  section.querySelector(".laid").after(pad);
  openPad((face) => {
    if (turned.length < left) turned.push(newTile(face));
    show();
  }, pad);
  show();

  function show() {
    text(section.firstElementChild, say("photo_birds", { n: left }));
    drawHand({ ...nobody(), concealed: turned }, page.table, show, section.querySelector(".laid"));
    button.disabled = turned.length < left || turned.some((each) => each.tile === "?");
  }

  // Once: the answer and the view come at the same time, and a second call would begin it anew.
  function leave() {
    if (!leaves) location.assign("/");
    leaves = true;
  }

  async function record() {
    button.disabled = true;
    const refused = await send("/api/birds", { tiles: turned.map((each) => each.tile) });
    if (refused === null) return leave();
    turned.length = 0;
    show();
    return problem(refused);
  }
}
