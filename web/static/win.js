// A declared win: the tiles as read, the verdict and why, the birds one by one, who pays whom.

import { make, pick, say, setTile, sync, text, tile } from "./draw.js";

const card = document.getElementById("verdict");
const verdicts = document.getElementById("verdicts");
const settlement = document.getElementById("settlement");

export function drawWin(view, first) {
  const empty = view.verdicts.length === 0 && view.settlement === null;
  card.hidden = empty;
  const who = (seat) => pick(view.seats[seat].who);
  sync(verdicts, view.verdicts, (verdict) => verdict.seat, newVerdict, (element, verdict) =>
    drawVerdict(element, verdict, who(verdict.seat)),
  );
  drawSettlement(view.settlement, who, first);
}

function newVerdict() {
  const element = make("article", "win");
  element.append(
    make("h3"),
    make("div", "laid"),
    make("ul", "refusals"),
    make("ul", "completions"),
    make("ul", "rows"),
    make("ol", "steps"),
  );
  return element;
}

function titleOf(verdict) {
  if (verdict.valid) return "wins";
  return verdict.open ? "undecided" : "wins_not";
}

function drawVerdict(element, verdict, who) {
  const [title, laid, refusals, completions, rows, steps] = element.children;
  element.classList.toggle("refused", !verdict.valid && !verdict.open);
  element.classList.toggle("open", verdict.open);
  const how = verdict.self_drawn ? "self_drawn" : "by_discard";
  const parts = [say(titleOf(verdict), { who })];
  if (verdict.self_drawn !== null) parts.push(say(how));
  sync(title, parts, (_, index) => index, (_, index) => make(index ? "small" : "span"), text);
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
  const line = () => make("li");
  sync(refusals, verdict.refusals, (_, index) => index, line, (li, words) => text(li, pick(words)));
  drawCompletions(completions, verdict.completions);
  sync(rows, verdict.patterns, (_, index) => index, newRow, (li, pattern) => {
    text(li.firstChild, pick(pattern.name));
    text(li.lastChild, String(pattern.value));
  });
  sync(steps, verdict.steps, (_, index) => index, line, (li, words) => text(li, pick(words)));
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

function newRow() {
  const li = make("li");
  li.append(make("span"), make("span", "num"));
  return li;
}

function drawSettlement(view, who, first) {
  settlement.hidden = view === null;
  if (view === null) return settlement.replaceChildren();
  if (!settlement.firstChild) {
    settlement.append(make("h3"), make("ol", "birds"), make("h3"), make("ul", "payments"));
  }
  const [birdTitle, birdList, paymentTitle, payments] = settlement.children;
  const birds = view.birds.flatMap((each) => birdsOf(each, view));
  text(birdTitle, say("birds"));
  birdTitle.hidden = birds.length === 0;
  sync(birdList, birds, (bird) => bird.key, () => newBird(), (li, bird) => drawBird(li, bird, first));
  text(paymentTitle, say("payments"));
  sync(payments, view.payments.length ? view.payments : [null], paymentKey, newPayment, (li, item) =>
    drawPayment(li, item, who),
  );
}

// One line for each bird turned or still to be turned; a settled hand turns no more.
function birdsOf(each, view) {
  const due = view.final ? each.turned.length : each.due;
  return Array.from({ length: due }, (_, index) => ({
    key: `${each.winner}.${index}`,
    bird: each.turned[index] ?? null,
  }));
}

function newBird() {
  const li = make("li", "bird");
  const flip = make("div", "flip");
  const inner = make("span");
  inner.append(tile("#"));
  flip.append(inner);
  li.append(flip, make("span", "effect"));
  return li;
}

function drawBird(li, { bird }, first) {
  const [flip, effect] = li.children;
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

const paymentKey = (item) => (item === null ? "none" : `${item.from}.${item.to}`);

function newPayment() {
  const li = make("li");
  li.append(make("span"), make("b"));
  return li;
}

function drawPayment(li, item, who) {
  const points = item === null ? "" : String(item.points);
  const names = item === null ? {} : { from: who(item.from), to: who(item.to) };
  text(li.firstChild, item === null ? say("nothing_paid") : say("pays", names));
  if (li.lastChild.textContent && li.lastChild.textContent !== points) {
    const fresh = make("b", "moved", points); // a new element, so that the colour fades anew
    li.lastChild.replaceWith(fresh);
  }
  text(li.lastChild, points);
}
