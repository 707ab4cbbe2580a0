// A photograph on its way: shrunk on the phone, turned upright, sent once however often it is tried.

import { refusal } from "./ask.js";
import { blobOf, isTrue } from "./canvas.js";
import { say } from "./draw.js";
import { call, isAway } from "./net.js";

const MOST_SIDE = 1600;
const QUALITY = 0.85;
const AGAIN_MS = 3000;
const FILLED = [128, 255]; // the grey or white that browsers put where a file ends too early
const MOST_BYTES = 12_000_000; // as much as the table's machine takes

// A JPEG of at most `MOST_SIDE` pixels a side. What the browser cannot open or draw goes as it is:
// the table's machine opens more kinds, and says what is wrong with the rest.
export async function shrunk(file) {
  try {
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, MOST_SIDE / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    if (isFilled(context, canvas)) return file;
    const blob = await blobOf(canvas, "image/jpeg", QUALITY);
    return blob !== null && (await isTrue()) ? blob : file;
  } catch {
    return file;
  }
}

// A file that is cut short ends in a corner, whichever way it is turned.
function isFilled(context, { width, height }) {
  const corners = [0, width - 1].flatMap((x) => [0, height - 1].map((y) => [...context.getImageData(x, y, 1, 1).data]));
  const isLevel = (corner) => FILLED.some((grey) => corner.every((level) => Math.abs(level - grey) < 3));
  return corners.some((corner) => corner.pop() < 255 || isLevel(corner));
}

// What was read in it, or {error}. Without a connection it waits here and is tried again: the same
// bytes are the same photograph, so that nothing is there twice.
export async function sendPhoto(path, blob, waiting) {
  const n = Math.ceil(blob.size / 1e6);
  if (blob.size > MOST_BYTES) return { error: say("photo_too_large", { n }) };
  for (;;) {
    const answer = await call(path, blob);
    const { status, said } = answer;
    if (said !== null) return { ...said, error: refusal(said) };
    if (!isAway(answer)) return { error: say(status === 413 ? "photo_proxy_limit" : "photo_proxy", { n, status }) };
    waiting();
    await new Promise((done) => {
      setTimeout(done, AGAIN_MS);
      addEventListener("online", done, { once: true });
    });
  }
}
