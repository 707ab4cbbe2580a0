// A photograph on its way: shrunk on the phone, turned upright, sent once however often it is tried.

import { refusal } from "./ask.js";

const MOST_SIDE = 1600;
const QUALITY = 0.85;
const AGAIN_MS = 3000;
const token = document.querySelector("meta[name=table-token]").content;

// A JPEG of at most `MOST_SIDE` pixels a side; null where the browser cannot open the file.
export async function shrunk(file) {
  let image;
  try {
    image = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
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
export async function sendPhoto(blob, waiting) {
  for (;;) {
    try {
      const reply = await fetch("/api/photo", {
        method: "POST",
        headers: { "Content-Type": "image/jpeg", "X-Table-Token": token },
        body: blob,
      });
      const answer = await reply.json();
      return { ...answer, error: refusal(answer) };
    } catch {
      waiting();
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}
