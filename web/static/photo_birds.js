// The birds after a win: photographed, or tapped.

import { send } from "./ask.js";
import { make, say } from "./draw.js";
import { chooseFace } from "./photo_faces.js";
import { drawHand, newTile, nobody, pieces } from "./photo_hand.js";
import { sendPhoto, shrunk } from "./photo_send.js";

const section = document.getElementById("birds");
const button = section.querySelector(".send");

export function tellBirds(page, problem) {
  const left = page.table.settlement.birds.reduce((sum, each) => Math.max(sum, each.due - each.turned.length), 0);
  const turned = [];
  section.hidden = false;
  section.querySelector("input").addEventListener("change", async ({ target: { files } }) => {
    const answer = await sendPhoto("/api/photo", await shrunk(files[0]), () => problem(say("photo_waiting")));
    if (answer.error) return problem(answer.error);
    problem("");
    turned.splice(0, turned.length, ...pieces({ ...nobody(), ...answer.hand }).slice(0, left));
    return show();
  });
  button.addEventListener("click", async () => {
    const refused = await send("/api/birds", { tiles: turned.map((each) => each.tile) });
    if (refused !== null) return problem(refused);
    return location.assign("/");
  });
  show();

  function show() {
    const laid = section.querySelector(".laid");
    drawHand({ ...nobody(), concealed: turned }, page.table, show, laid);
    if (turned.length < left) laid.append(plus());
    button.disabled = turned.length < left || turned.some((each) => each.tile === "?");
  }

  function plus() {
    const add = make("button", "quiet", "+");
    add.type = "button";
    add.dataset.key = "plus";
    add.setAttribute("aria-label", say("photo_add"));
    add.addEventListener("click", () => chooseFace({ tile: null, candidates: [], choose: (face) => {
      turned.push(newTile(face));
      show();
    } }));
    return add;
  }
}
