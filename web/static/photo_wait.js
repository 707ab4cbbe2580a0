// Pictures that have not been answered yet stay on the phone, also when their page is closed.

const STORE = "waiting";
const MOST_AGE_MS = 60 * 60 * 1000; // an older one belongs to a hand that is long over

function open() {
  return new Promise((done, fail) => {
    const request = indexedDB.open("photographs", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

async function run(mode, act) {
  try {
    const base = await open();
    return await new Promise((done, fail) => {
      const change = base.transaction(STORE, mode);
      const request = act(change.objectStore(STORE));
      change.oncomplete = () => {
        base.close();
        done(request.result);
      };
      change.onabort = () => fail(change.error);
    });
  } catch {
    return undefined; // a browser that keeps nothing: the picture lives as long as its page
  }
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
