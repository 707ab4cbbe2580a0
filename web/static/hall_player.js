// One player: sessions, rounds, won hands, luck and the rating's course.

import { isolated, make, pick, say, sync, text } from "./draw.js";
import { ask, byId, drawLaid, drawPicture, drawRows, moved } from "./hall_table.js";
import { followSwitches } from "./switches.js";

const LOOK_MS = 15_000;
const name = byId("name");
let now = null;
let isLost = false;

function draw() {
  text(byId("told"), isLost ? say("hall_lost") : "");
  if (now === null) return;
  text(name, now.name);
  document.title = now.name;
  const lines = [...now.series.map((each) => ({ ...each, kind: "series" })), ...now.sessions.map((each) => ({ ...each, kind: "session" }))];
  byId("held").hidden = lines.length > 0;
  sync(byId("sessions"), lines, (each) => `${each.kind} ${each[each.kind]}`, newLine, drawLine);
  drawRating();
  drawLuck();
  byId("no-wins").hidden = now.best.length > 0;
  sync(byId("best"), now.best, (each) => `${each.table} ${each.entry}`, newHand, drawHand);
  drawRows(byId("rounds"), now.rounds, (each, index) => index, (each) => [
    each.round, sessionName(each.session), each.table, moved(each.points), each.hands, each.wins,
  ]);
  drawRows(byId("won"), now.won, (each) => `${each.table} ${each.entry}`, (each) => [
    each.round, say("player_hand", { table: each.table, n: each.hand }), moved(each.points), how(each), paid(each),
  ]);
}

const sessionName = (id) => now.sessions.find((each) => each.session === id)?.name ?? `#${id}`;

function newLine(each) {
  const line = make("li");
  const link = make("a");
  link.href = `/standings?${each.kind}=${each[each.kind]}`;
  line.append(link, make("span", "soft"), make("b", "num"));
  if (each.kind === "session") line.append(make("a", "print", say("print")));
  return line;
}

function drawLine(line, each) {
  const [link, place, points, print] = line.children;
  if (print) print.href = `/print/player/${now.player}/${each.session}`;
  text(link, each.name);
  text(place, say("player_place", each));
  text(points, moved(each.points));
}

function drawRating() {
  const { rating } = now;
  byId("rating").hidden = rating === null;
  if (rating === null) return;
  const [figure, course] = byId("rating").querySelectorAll("p.figure, svg");
  text(figure.children[0], rating.rating.toFixed(2));
  text(figure.children[1], `#${rating.place} · ${say("standings_rounds")}: ${rating.games}`);
  const values = rating.course.map((step) => step.rating);
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const at = (value, index) => `${(values.length < 2 ? 50 : (100 * index) / (values.length - 1)).toFixed(2)},${(29 - (28 * (value - low)) / (high - low)).toFixed(2)}`;
  text(course.querySelector("title"), `${say("player_course")}: ${values.map((value) => value.toFixed(1)).join(", ")}`);
  course.querySelector("polyline").setAttribute("points", values.map(at).join(" "));
}

function drawLuck() {
  const rows = ["wins", "own_drawn", "given"].flatMap((kind) => {
    const { count, of, chance, spread } = now.luck[kind];
    const words = { wins: "player_luck_wins", own_drawn: "player_luck_drawn", given: "player_luck_given" }[kind];
    const value = make("dd");
    value.append(
      make("b", "num", say("player_luck_row", { count, of })),
      make("span", "soft", say("player_luck_chance", { chance: chance.toFixed(1), spread: spread.toFixed(1) })),
    );
    return [make("dt", "", say(words)), value];
  });
  byId("luck").replaceChildren(...rows);
}

function newHand() {
  const head = make("p", "head", make("b", "num"), make("span"), make("span", "soft"));
  return make("li", "", head, make("div", "laid"), make("p", "worth"), make("p", "soft"), make("img", "seen"));
}

function drawHand(item, hand) {
  const [head, laid, worth, payers, seen] = item.children;
  text(head.children[0], moved(hand.points));
  text(head.children[1], how(hand));
  text(head.children[2], `${sessionName(hand.session)} · ${say("player_hand", { table: hand.table, n: hand.hand })}`);
  drawLaid(laid, hand);
  text(worth, hand.worth.map(pick).join(" "));
  text(payers, `${say("player_paid")}: ${paid(hand)}`);
  drawPicture(seen, hand, now.name);
}

function how({ self_drawn, giver }) {
  if (self_drawn) return say("player_drawn");
  return giver ? say("player_given", { name: giver }) : say("player_robbed");
}

const paid = (hand) => hand.paid.map((each) => `${isolated(each.name)} ${moved(each.points)}`).join(", ");

async function look() {
  try {
    now = await ask(`/api/player/${name.dataset.player}`);
    isLost = false;
  } catch {
    isLost = true;
  }
  draw();
}

followSwitches(draw);
look();
setInterval(look, LOOK_MS);
