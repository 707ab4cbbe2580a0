// What a command would change, in lines.

import { make, pick, say, signed, sync, text } from "./draw.js";

// Lines of text, or a change as the server foretells it.
export function tellChange(parent, change) {
  const lines = Array.isArray(change) ? change : linesOf(change);
  sync(parent, lines, (_, index) => index, () => make("p"), text);
}

export function linesOf(change) {
  if (change.error) return [change.error];
  const moved = change.scores_after.map((score, seat) => score - change.scores_before[seat]);
  const lines = change.sentences.map(pick);
  if (lines.length === 0) lines.push(say(moved.some(Boolean) ? "points_move" : "points_stay"));
  if (moved.some(Boolean)) lines.push(moved.map(signed).join("  "));
  return [...lines, ...change.questions.map((question) => pick(question.text))];
}
