// A part of the page that is fetched when it is needed.

const AGAIN_MS = 2000;

// A program that is away for a moment, since it begins again with other settings, is asked until it
// is back. Some browsers keep a file that failed as failed: the next try has another address.
export async function fetched(file) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await import(tries ? `${file}?${tries}` : file);
    } catch {
      await new Promise((wait) => setTimeout(wait, AGAIN_MS));
    }
  }
}
