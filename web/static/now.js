// What goes on: headline, guidance, the round, what may be claimed, wild tiles and the treasure.

import { make, pick, points, say, sync, text, tile, setTile } from "./draw.js";

const byId = (id) => document.getElementById(id);

export function drawNow(view) {
  text(byId("headline"), pick(view.headline));
  const guidance = byId("guidance");
  if (guidance) text(guidance, view.guidance === null ? "" : pick(view.guidance));
  if (!byId("now")) return;
  drawRound(view);
  const claims = byId("claims");
  claims.classList.toggle("none", view.claims === null);
  if (view.claims !== null) {
    if (!claims.firstChild) claims.append(tile(view.claims.tile), make("span"));
    setTile(claims.firstChild, view.claims.tile);
    text(claims.lastChild, pick(view.claims.words));
  }
  drawSecrets(view);
}

function drawRound(view) {
  const { round } = view;
  const parts = [];
  if (view.hand) {
    if (round.wind) parts.push(["round", { wind: pick(round.wind) }]);
    parts.push(["hand_n", { n: view.hand }]);
    parts.push(["deals", { who: pick(view.seats[round.dealer].who) }]);
    if (round.streak > 1) parts.push(["streak", { n: round.streak }]);
  }
  if (view.game_over) parts.push(["game_over", {}]);
  if (view.game.points) parts.push(["start", { n: points(view.game.points) }]);
  if (view.game.floor !== null) parts.push(["ends_below", { n: points(view.game.floor) }]);
  if (view.game.length && !view.game_over) parts.push(toGo(view));
  if (round.limit) parts.push(["limit", { n: round.limit }]);
  sync(byId("round"), parts, ([key]) => key, () => make("span"), (span, [key, values]) =>
    text(span, say(key, values)),
  );
}

// How many hands of the game are to be played, the one on the table included.
function toGo({ game }) {
  const left = game.length - game.played;
  return left > 1 ? ["hands_left", { n: left }] : ["last_of_game", {}];
}

function drawSecrets(view) {
  const kept = [];
  if (view.wilds.length) kept.push({ key: "wild", tiles: view.wilds, words: say("wilds") });
  if (view.treasure) {
    kept.push({ key: "treasure", tiles: treasureOf(view), words: pick(view.treasure.words) });
  }
  byId("secrets").hidden = kept.length === 0;
  sync(byId("secrets"), kept, ({ key }) => key, newSecret, (line, { tiles: names, words }) => {
    text(line.lastChild, words);
    line.firstChild.hidden = names.length === 0;
    sync(line.firstChild, names, (_, index) => index, (name) => tile(name), reveal);
  });
}

// A tile that is turned up while somebody looks turns on the page, too.
function reveal(image, name) {
  const was = image.dataset.tile;
  setTile(image, name);
  if (was === "#" && name !== "#") image.classList.add("revealed");
}

// Revealed for all it lies open; a player who knows it sooner looks at it on the own panel.
function treasureOf({ treasure, settlement }) {
  if (!treasure.set) return [];
  return treasure.tiles.length && settlement !== null ? treasure.tiles : ["#"];
}

function newSecret() {
  return make("p", "secret", make("span", "secret"), make("span"));
}
