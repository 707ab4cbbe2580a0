// Which hands have the hall's screen: a great one alone, those that have just ended, or none.

const GREAT_MS = 20_000;
const RESULT_MS = 10_000;
const EACH_MS = 2_000; // longer for each that shares the screen
const TABLES_MS = 12_000; // so long the tables are in view before the next results
const STALE_MS = 60_000; // what has waited longer is no news
const TOGETHER = 6; // share the screen, the dearest

const NOTHING = [];
let known = null; // the results that were there already; null before the first look
let waiting = [];
let scene = { hands: NOTHING, until: -TABLES_MS };

export const nameOf = (hand) => `${hand.table} ${hand.entry} ${hand.winner}`;

// Takes note of what has ended; news: what may be shown of it though the page has just opened.
export function hear(hands, news) {
  const fresh = known === null ? news : hands.filter((hand) => !known.has(nameOf(hand)));
  known = new Set(hands.map(nameOf));
  waiting.push(...fresh.map((hand) => ({ hand, since: performance.now() })));
}

// The hands of the scene that is on; none while the tables are in view.
export function onScene(great) {
  const now = performance.now();
  if (now < scene.until) return scene.hands;
  scene.hands = NOTHING;
  waiting = waiting.filter(({ since }) => now - since < STALE_MS);
  const found = waiting.find(({ hand }) => great !== null && nameOf(hand) === nameOf(great));
  if (found) {
    waiting = waiting.filter((each) => each !== found);
    return show([great], GREAT_MS);
  }
  if (waiting.length === 0 || now < scene.until + TABLES_MS) return NOTHING;
  const hands = waiting.map(({ hand }) => hand).sort((one, other) => worth(other) - worth(one));
  waiting = [];
  const together = hands.slice(0, TOGETHER);
  return show(together, RESULT_MS + EACH_MS * (together.length - 1));
}

const worth = (hand) => hand.points ?? 0;

export function show(hands, ms = GREAT_MS) {
  scene = { hands, until: performance.now() + ms };
  return hands;
}

export function endScene() {
  scene.until = Math.min(scene.until, performance.now());
}
