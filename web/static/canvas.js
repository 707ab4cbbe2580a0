// Pictures from a canvas. Some browsers give null where memory is short, and noise where they guard
// against being known again: what they give is tried with two pixels that are known.

import { within } from "./time.js";

const MADE_MS = 10_000;
const SIDE = 16;
const NEAR = 60; // grey levels: what a browser's JPEG, or a little noise, may change

// The picture, or null.
export const blobOf = async (canvas, type, quality) =>
  (await within(MADE_MS, new Promise((done) => canvas.toBlob(done, type, quality)))) ?? null;

let tried = null;

// Whether this browser's canvas gives what was drawn on it.
export const isTrue = () => (tried ??= within(MADE_MS, tryIt()));

async function tryIt() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * SIDE, height: SIDE });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = "white";
  pen.fillRect(SIDE, 0, SIDE, SIDE);
  const blob = await blobOf(canvas, "image/jpeg", 0.9);
  if (blob === null) return false;
  pen.drawImage(await createImageBitmap(blob), 0, 0);
  const [black, white] = [SIDE / 2, 1.5 * SIDE].map((x) => pen.getImageData(x, SIDE / 2, 1, 1).data[0]);
  return black < NEAR && white > 255 - NEAR;
}
