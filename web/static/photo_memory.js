// The hand as it is being told outlives a reload: its pictures lie at the table for a while.

import { read, session } from "./store.js";

const NAME = "telling";
const KEPT = ["hand", "photos", "mode", "told", "isAnybody"];

// What is told belongs to one hand of the evening: after it nothing of it is left.
const stamp = ({ table }) => `${table.hand} ${table.history.length}`;

export function remember(page) {
  if (page.isPrivate) return;
  const kept = Object.fromEntries(KEPT.map((name) => [name, page[name]]));
  const pictures = page.pictures.map(({ id, advice }) => ({ id, advice }));
  session.set(NAME, JSON.stringify({ ...kept, pictures, special: [...page.special], stamp: stamp(page) }));
}

export const forget = () => session.drop(NAME);

export async function recall(page) {
  const said = page.isPrivate ? null : read(session, NAME, null);
  if (said === null || said.stamp !== stamp(page)) return forget();
  for (const name of KEPT) page[name] = said[name];
  page.special = new Set(said.special);
  page.pictures = said.pictures.map((picture) => ({ ...picture, url: `/api/photo/${picture.id}.jpg` }));
  page.isBegun = page.pictures.length > 0 || page.hand.concealed.length + page.hand.melds.length > 0;
  return undefined;
}
