// The standing, the hands played, and how the scores ran.

import { make, pick, points, say, setChange, sync, text } from "./draw.js";
import { fetched } from "./part.js";

const byId = (id) => document.getElementById(id);
const canReplay = byId("replay") !== null;
const SVG = "http://www.w3.org/2000/svg";

export function drawScores(view) {
  const list = byId("scores")?.querySelector("ol");
  if (!list) return;
  const lines = view.seats.map((seat, index) => ({ ...seat, index }));
  sync(list, lines, (seat) => seat.index, newScore, (li, seat) => {
    const [wind, name, score, change, place] = li.children;
    li.classList.toggle("first", seat.place === 1 && seat.rank !== null);
    li.classList.toggle("turn", seat.turn);
    text(wind, pick(seat.wind).slice(0, 1) || String(seat.index + 1));
    text(place, seat.rank === null ? "" : pick(seat.rank));
    text(name, pick(seat.who));
    name.title = pick(seat.who);
    text(score, points(seat.score));
    score.style.setProperty("--letters", Math.max(4, score.textContent.length));
    setChange(change, seat.change);
    change.title = say("last_hand");
    change.classList.toggle("none", seat.change === 0);
  });
}

function newScore({ index }) {
  return make("li", `seat-${index}`,
    make("span", "wind"), make("bdi", "name"), make("b", "num"), make("span", "num change"),
    make("span", "place"));
}

export function drawHistory(view) {
  const panel = byId("history");
  if (!panel) return;
  const names = ["#", ...view.seats.map((seat) => pick(seat.who))];
  sync(panel.querySelector("thead tr"), names, (_, index) => index, newHead, (th, name) => {
    text(th.lastChild, name);
    th.title = name;
  });
  sync(panel.querySelector("tbody"), view.history, (hand) => hand.hand, newHand, (row, hand) => {
    text(row.firstChild.firstChild, String(hand.hand));
    if (canReplay) row.firstChild.firstChild.setAttribute("aria-label", say("replay_of", { n: hand.hand }));
    hand.transfers.forEach((moved, seat) => {
      const [change, after] = row.children[seat + 1].children;
      setChange(change, moved);
      text(after, points(hand.scores[seat]));
    });
  });
  panel.querySelector("table").hidden = view.history.length === 0;
  panel.querySelector(".empty").hidden = view.history.length > 0;
  drawCurve(view);
}

function newHead(_, index) {
  const th = make("th", index ? `seat-${index - 1}` : "");
  th.scope = "col";
  if (index) th.append(make("i", "key"));
  th.append(make("span"));
  return th;
}

function newHand({ hand }) {
  const row = make("tr");
  const number = make("th");
  number.scope = "row";
  number.append(make(canReplay ? "button" : "span", "replay"));
  if (canReplay) {
    number.firstChild.addEventListener("click", async () => {
      const { openReplay } = await fetched("./replay.js");
      openReplay(hand);
    });
  }
  row.append(number);
  for (let seat = 0; seat < 4; seat += 1) {
    const cell = make("td", "", make("span"), make("small"));
    row.append(cell);
  }
  return row;
}

// Every score after every hand of the game, one line a player, from its start on.
function drawCurve(view) {
  const curve = byId("curve");
  const hands = view.history.filter(({ hand }) => hand > view.game.since).reverse();
  curve.toggleAttribute("hidden", hands.length < 2);
  if (hands.length < 2) return curve.replaceChildren();
  const first = hands[0].scores.map((score, seat) => score - hands[0].transfers[seat]);
  const rows = [first, ...hands.map((hand) => hand.scores)];
  const all = rows.flat();
  const low = Math.min(...all);
  const high = Math.max(...all, low + 1);
  const x = (index) => ((100 * index) / (rows.length - 1)).toFixed(2);
  const y = (score) => (29 - (28 * (score - low)) / (high - low)).toFixed(2);
  if (curve.children.length === 0) {
    curve.append(document.createElementNS(SVG, "line"));
    for (let seat = 0; seat < 4; seat += 1) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", `seat-${seat}`);
      curve.append(path);
    }
  }
  const [zero, ...paths] = curve.children;
  const start = y(first[0]);
  for (const [name, value] of [["x1", 0], ["x2", 100], ["y1", start], ["y2", start]]) {
    zero.setAttribute(name, value);
  }
  paths.forEach((path, seat) => {
    const way = rows.map((scores, index) => `${x(index)} ${y(scores[seat])}`).join("L");
    path.setAttribute("d", `M${way}`);
  });
  return undefined;
}
