// Pictures that have not been answered yet stay on the phone, also when their page is closed.

import { within } from "./time.js";

const STORE = "waiting";
const MOST_WAIT_MS = 1500; // some browsers never answer
const MOST_AGE_MS = 60 * 60 * 1000; // an older one belongs to a hand that is long over

function open() {
  return new Promise((done, fail) => {
    const request = indexedDB.open("photographs", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

// Undefined of a browser that keeps nothing, or never answers: the picture lives as long as its page.
const run = (mode, act) => within(MOST_WAIT_MS, change(mode, act));

async function change(mode, act) {
  const base = await open();
  return new Promise((done, fail) => {
    const acting = base.transaction(STORE, mode);
    const request = act(acting.objectStore(STORE));
    acting.oncomplete = () => {
      base.close();
      done(request.result);
    };
    acting.onabort = () => fail(acting.error);
  });
}

// Keep a picture; gives the number under which it is dropped. As it is sent it is kept, too: the
// same bytes are the same photograph, whenever they arrive.
export const keep = (blob, { isShrunk = false, number } = {}) =>
  run("readwrite", (store) => store.put({ blob, isShrunk, t: Date.now() }, number));

export const drop = (number) => (number === undefined ? undefined : run("readwrite", (store) => store.delete(number)));

// What was kept and not answered: {number, blob, isShrunk}, oldest first.
export async function kept() {
  const found = [];
  await run("readwrite", (store) => {
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      if (Date.now() - cursor.value.t > MOST_AGE_MS) cursor.delete();
      else found.push({ number: cursor.key, ...cursor.value });
      cursor.continue();
    };
    return request;
  });
  return found;
}
