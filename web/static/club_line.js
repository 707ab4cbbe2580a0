// What the club tells this table: a message, its clock, and where one sits next.

import { isolated, make, pick, text } from "./draw.js";
import { get } from "./net.js";
import { Countdown, minutes } from "./time.js";

const LOOK_MS = 3000;
const card = document.getElementById("club");
const [clock, message, seated, next] = card.children;
const own = document.body.dataset.own === undefined ? null : Number(document.body.dataset.own);
let news = null;
const countdown = new Countdown();

clock.append(make("span"), make("b"));

export function drawClub() {
  const places = (news?.next ?? []).filter((each, seat) => each !== null && (own === null || seat === own));
  card.hidden = !news || !(news.clock || news.message || news.names || places.length);
  if (card.hidden) return;
  clock.hidden = news.clock === null;
  if (news.clock !== null) {
    const left = countdown.left(news.clock.left_s);
    text(clock.firstChild, pick(news.clock.label));
    text(clock.lastChild, minutes(left));
    clock.classList.toggle("over", left < 0);
  }
  text(message, news.message ? pick(news.message) : "");
  // Who goes to another table is told so, and not who comes.
  const names = own === null ? news.names : places.length ? null : news.names?.slice(own, own + 1);
  text(seated, names ? `${pick(news.round)}: ${names.map(isolated).join(" · ")}` : "");
  const said = places.map((each) => pick(own === null ? each.every : each.own));
  if (said.join("\n") !== [...next.children].map((item) => item.textContent).join("\n")) {
    next.replaceChildren(...said.map((line) => make("li", "", line)));
  }
}

async function look() {
  news = (await get("/api/club/news")) ?? news; // else what was told stays
  if (news?.clock) countdown.take(news.clock);
  drawClub();
}

look();
setInterval(look, LOOK_MS);
setInterval(drawClub, 500);
