// What this browser keeps under a name; for the page's life alone where it keeps nothing.

const here = new Map();

function storeOf(kind) {
  return {
    get(name) {
      try {
        return window[kind].getItem(name);
      } catch {
        return here.get(`${kind} ${name}`) ?? null;
      }
    },
    set(name, value) {
      try {
        window[kind].setItem(name, value);
      } catch {
        here.set(`${kind} ${name}`, value);
      }
    },
    drop(name) {
      here.delete(`${kind} ${name}`);
      try {
        window[kind].removeItem(name);
      } catch {
        // it kept nothing
      }
    },
  };
}

export const local = storeOf("localStorage");
export const session = storeOf("sessionStorage");

// A value that was kept as JSON; `other` where there is none, or it cannot be read.
export function read(store, name, other) {
  try {
    return JSON.parse(store.get(name)) ?? other;
  } catch {
    return other;
  }
}
