// The seals that this device has kept: [{log, at, hands: [{hand, seq, seal}]}], the latest record last;
// `at`: when this device last saw it.

const NAME = "table-seals";
const RECORDS = 5; // so many records are remembered

export function keptSeals() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? [];
  } catch {
    return [];
  }
}

export const keepSeals = (records) => localStorage.setItem(NAME, JSON.stringify(records.slice(-RECORDS)));
