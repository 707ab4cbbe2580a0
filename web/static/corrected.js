// What an entry should have said, with another face in the place of one of its tiles.

// The shown hand: its winning tile is one of the concealed ones, but for a win by the treasure.
export function shownWith(event, from, face, isWinning) {
  const at = event.concealed.lastIndexOf(from);
  return {
    ...event,
    concealed: event.concealed.map((each, index) => (index === at ? face : each)),
    winning_tile: isWinning ? face : event.winning_tile,
  };
}

export function laidDownWith(event, from, face) {
  const at = event.concealed.indexOf(from);
  return { ...event, concealed: event.concealed.map((each, index) => (index === at ? face : each)) };
}

// Of a chow one tile; the tiles of a pung or kong are all the same.
export function meldWith(event, from, face) {
  if (event.type === "KongDeclared") return { ...event, tile: face };
  if (event.kind !== "chow") return { ...event, tiles: event.tiles.map(() => face) };
  return { ...event, tiles: event.tiles.map((each) => (each === from ? face : each)) };
}
