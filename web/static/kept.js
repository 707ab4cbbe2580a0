// The seals that this device has kept: [{log, at, hands: [{hand, seq, seal}]}], the latest record last;
// `at`: when this device last saw it.

import { local, read } from "./store.js";

const NAME = "table-seals";
const RECORDS = 5; // so many records are remembered

export const keptSeals = () => read(local, NAME, []);

export const keepSeals = (records) => local.set(NAME, JSON.stringify(records.slice(-RECORDS)));
