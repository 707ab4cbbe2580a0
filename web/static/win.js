// A declared win: the tiles as read, the verdict and why, the birds one by one, who pays whom.

import { make, pick, points, say, setChange, setTile, sync, text, tile } from "./draw.js";

const card = document.getElementById("verdict");
const verdicts = document.getElementById("verdicts");
const settlement = document.getElementById("settlement");

const mayLook = ["seat", "scorer", "referee"].includes(document.body.dataset.view);

const isScene = document.body.dataset.view === "television";
const [LARGEST, SMALLEST] = [1.6, 0.4]; // of the scene's letters
const SURE = 0.995; // a reading above this is not worth a figure

export function drawWin(view, first) {
  if (card === null) return;
  const empty = view.verdicts.length === 0 && view.settlement === null;
  card.hidden = empty;
  document.body.classList.toggle("winning", !empty);
  sync(verdicts, view.verdicts, (verdict) => verdict.seat, newVerdict, drawVerdict);
  drawSettlement(view, first);
  if (isScene && !empty) fit();
}

// The result is one scene: it grows as large as the screen lets it, and nothing of it is cut off.
function fit() {
  const place = card.querySelector(".scroll");
  const fits = () => place.scrollHeight <= place.clientHeight + 1 && place.scrollWidth <= place.clientWidth + 1;
  for (let scale = LARGEST; scale >= SMALLEST; scale -= 0.05) {
    card.style.setProperty("--scale", scale);
    if (fits()) return;
  }
}
if (isScene) addEventListener("resize", () => card.hidden || fit());

function newVerdict() {
  return make("article", "win",
    make("h3"), make("div", "laid"), make("ul", "refusals"), make("ul", "completions"),
    make("ul", "rows"), make("p", "by-hand"), Object.assign(make("a", "evidence"), { target: "_blank" }));
}

export function titleOf(verdict) {
  if (verdict.valid) return "wins";
  return verdict.open ? "undecided" : "wins_not";
}

function drawVerdict(element, verdict) {
  const [title, laid, refusals, completions, rows, changed] = element.children;
  element.classList.toggle("refused", !verdict.valid && !verdict.open);
  element.classList.toggle("open", verdict.open);
  const parts = [say(titleOf(verdict), { who: pick(verdict.who) })];
  if (verdict.robbed) parts.push(say(`robbed_${verdict.robbed}`));
  else if (verdict.self_drawn !== null) parts.push(say(verdict.self_drawn ? "self_drawn" : "by_discard"));
  if (verdict.told) parts.push(say(verdict.tapped ? "tapped" : "told_by_people"));
  if (verdict.confidence !== null && verdict.confidence < SURE) {
    parts.push(say("read_at", { n: Math.floor(100 * verdict.confidence) }));
  }
  sync(title, parts, (_, index) => index, (_, index) => make(index ? "small" : "span"), text);
  drawLaid(laid, verdict);
  drawEvidence(element, verdict);
  const line = () => make("li");
  sync(refusals, verdict.refusals, (_, index) => index, line, (li, words) => text(li, pick(words)));
  drawCompletions(completions, verdict.completions);
  drawRows(rows, verdict);
  changed.hidden = !verdict.changed; // whoever changed a read tile is seen to have done it
  text(changed, verdict.changed ? pick(verdict.changed) : "");
}

// The picture that the reading rests on.
function drawEvidence(element, verdict) {
  const link = element.lastElementChild;
  link.hidden = !verdict.evidence || !mayLook;
  if (link.hidden) return;
  link.href = `/api/evidence/${encodeURIComponent(verdict.evidence)}/picture.jpg`;
  text(link, say(verdict.told ? "photographs" : "crop"));
}

function drawLaid(laid, verdict) {
  const groups = verdict.melds.map((meld) => meld.tiles);
  if (verdict.winning !== null) groups.push([...verdict.tiles, verdict.winning]);
  const last = groups.length - 1;
  sync(laid, groups, (_, index) => index, () => make("div"), (group, names, at) => {
    sync(group, names, (_, index) => index, (name) => tile(name), (image, name, index) => {
      setTile(image, name);
      const wins = verdict.winning !== null && at === last && index === names.length - 1;
      image.classList.toggle("winning", wins);
    });
  });
}

// What it is made of. What that comes to is said once, by the arithmetic of the settlement.
function drawRows(rows, verdict) {
  sync(rows, verdict.patterns, (_, index) => index, () => make("li"), (li, pattern) => {
    text(li, pick(pattern.name));
  });
}

function drawCompletions(list, completions) {
  const items = completions.length ? [null, ...completions.slice(0, 6)] : [];
  sync(list, items, (_, index) => index, () => make("li", "completion"), (li, item) => {
    if (item === null) return text(li, `${say("if_read")} …`);
    li.replaceChildren(make("span"), make("span"));
    li.firstChild.append(...item.tiles.map((name) => tile(name)));
    return text(li.lastChild, `${pick(item.patterns)}: ${item.total}`);
  });
}

// --- what the hand moves

function drawSettlement(view, first) {
  const moved = view.settlement;
  settlement.hidden = moved === null;
  if (moved === null) return settlement.replaceChildren();
  if (!settlement.firstChild) {
    const [sums, paid] = [make("details", "sums"), make("div", "paid")];
    sums.open = true;
    sums.append(make("summary"), make("ol", "steps"));
    paid.append(
      make("h3"), make("ol", "birds"), make("h3"), make("ul", "payments"), make("h3"),
      make("ul", "balance"),
    );
    settlement.append(sums, make("ul", "unsure"), paid);
  }
  const [sums, unsure, paid] = settlement.children;
  const [birdTitle, birdList, paidTitle, payments, balanceTitle, balance] = paid.children;
  const birds = moved.birds.flatMap((each) => birdsOf(each, moved));
  text(birdTitle, say("birds"));
  birdTitle.hidden = birds.length === 0;
  sync(birdList, birds, (bird) => bird.key, () => newBird(), (li, bird) => drawBird(li, bird, view, first));
  text(paidTitle, say("payments"));
  drawPayments(payments, moved, view);
  paidTitle.hidden = payments.children.length === 0;
  text(balanceTitle, say("standing"));
  sync(balance, view.seats, (_, seat) => seat, newBalance, (li, seat, index) => {
    const [name, change, after] = li.children;
    text(name, pick(seat.who));
    setChange(change, moved.transfers[index]);
    const line = `${points(moved.before[index])} → ${points(moved.after[index])}`;
    text(after, line.length < 11 ? line.replaceAll(" ", "\u00a0") : line); // a short one stays one line
  });
  sums.hidden = moved.steps.length === 0;
  text(sums.firstChild, say("sums"));
  const line = () => make("li");
  sync(sums.lastChild, moved.steps, (_, index) => index, line, (li, words) => text(li, pick(words)));
  sync(unsure, moved.unsure, (_, index) => index, line, (li, words) => text(li, pick(words)));
  return undefined;
}

function newBalance() {
  return make("li", "", make("bdi", "name"), make("b", "num"), make("small", "num"));
}

// One line for each bird turned or still to be turned; a settled hand turns no more.
function birdsOf(each, moved) {
  const due = moved.final ? each.turned.length : each.due;
  return Array.from({ length: due }, (_, index) => ({
    key: `${each.winner}.${index}`,
    bird: each.turned[index] ?? null,
  }));
}

function newBird() {
  const flip = make("div", "flip", make("span", "", tile("#")));
  return make("li", "bird", flip, make("span", "effect"), make("ul", "moves"));
}

function drawBird(li, { bird }, view, first) {
  const [flip, effect, moves] = li.children;
  drawMoves(moves, bird?.payments ?? [], view);
  const inner = flip.firstChild;
  text(effect, bird ? pick(bird.text) : say("bird_waiting"));
  li.classList.toggle("done", bird !== null);
  if (bird === null) {
    flip.classList.remove("turned", "turning");
    if (inner.children.length > 1) inner.lastChild.remove();
    return;
  }
  if (inner.children.length > 1) setTile(inner.lastChild, bird.tile);
  else inner.append(tile(bird.tile));
  if (!flip.classList.contains("turned")) {
    flip.classList.add("turned");
    if (!first) flip.classList.add("turning");
  }
}

// What the bird makes of each payment: 7 → 14.
function drawMoves(list, payments, view) {
  sync(list, payments, (item) => `${item.from}.${item.to}`, () => make("li", "", make("span"), make("b", "num")), (li, item) => {
    const [from, to] = [item.from, item.to].map((seat) => pick(view.seats[seat].who));
    const changes = item.before !== item.after;
    li.classList.toggle("same", !changes);
    text(li.firstChild, say("pays", { from, to }));
    text(li.lastChild, changes ? `${points(item.before)} → ${points(item.after)}` : points(item.after));
  });
}

// Who pays whom; where all settle with all, or nobody pays, the standing below says it.
function drawPayments(list, moved, view) {
  const most = Math.max(1, ...moved.payments.map((each) => each.points));
  const net = [0, 0, 0, 0];
  for (const each of moved.payments) {
    net[each.from] -= each.points;
    net[each.to] += each.points;
  }
  const isAll = moved.transfers.every((change, seat) => change === net[seat]);
  const items = [...moved.payments];
  if (!isAll && items.length) items.push("besides"); // kongs, other hands, stakes
  if (isAll && items.length === 0) items.push("none");
  sync(list, items, paymentKey, newPayment, (li, item) => drawPayment(li, item, view, most));
}

const paymentKey = (item) => (typeof item === "string" ? item : `${item.from}.${item.to}`);

function newPayment(item) {
  if (typeof item === "string") return make("li", "nothing");
  const arrow = make("span", "arrow");
  arrow.setAttribute("aria-hidden", "true");
  return make("li", "", make("bdi", "payer"), arrow, make("bdi", "payee"), make("b"));
}

function drawPayment(li, item, view, most) {
  if (typeof item === "string") return text(li, say(item === "none" ? "nothing_paid" : "paid_besides"));
  const [from, to] = [item.from, item.to].map((seat) => pick(view.seats[seat].who));
  const [payer, arrow, payee, sum] = li.children;
  text(payer, from);
  text(payee, to);
  arrow.style.setProperty("--share", (item.points / most).toFixed(2));
  li.title = say("pays", { from, to });
  const owed = points(item.points);
  if (sum.textContent && sum.textContent !== owed) {
    const fresh = make("b", "moved", owed); // a new element, so that the colour fades anew
    sum.replaceWith(fresh);
    return undefined;
  }
  return text(sum, owed);
}

