// Looks for the table until it is there again.

const AGAIN_MS = 3000;

async function look() {
  try {
    const reply = await fetch("/manifest.webmanifest", { cache: "no-store" });
    if (reply.ok) return location.reload();
  } catch {
    // still away
  }
  return setTimeout(look, AGAIN_MS);
}

setTimeout(look, AGAIN_MS);
