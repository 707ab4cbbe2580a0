// A photograph on its way: shrunk on the phone, turned upright, sent once however often it is tried.

import { refusal } from "./ask.js";
import { say } from "./draw.js";

const MOST_SIDE = 1600;
const QUALITY = 0.85;
const AGAIN_MS = 3000;
const MOST_BYTES = 12_000_000; // as much as the table's machine takes
const token = document.querySelector("meta[name=table-token]").content;

// A JPEG of at most `MOST_SIDE` pixels a side. What the browser cannot open goes as it is: the
// table's machine opens more kinds, and says what is wrong with the rest.
export async function shrunk(file) {
  let image;
  try {
    image = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return file;
  }
  const scale = Math.min(1, MOST_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

// What was read in it, or {error}. Without a connection it waits here and is tried again: the same
// bytes are the same photograph, so that nothing is there twice.
export async function sendPhoto(path, blob, waiting) {
  if (blob.size > MOST_BYTES) return { error: say("photo_too_large", { n: Math.round(blob.size / 1e6) }) };
  for (;;) {
    try {
      const reply = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/octet-stream", "X-Table-Token": token },
        body: blob,
      });
      const answer = await reply.json();
      return { ...answer, error: refusal(answer) };
    } catch {
      waiting();
      await new Promise((done) => {
        setTimeout(done, AGAIN_MS);
        addEventListener("online", done, { once: true });
      });
    }
  }
}
