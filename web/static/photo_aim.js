// A live frame to aim a hand with: it says when the picture is still, light and sharp.

import { blobOf } from "./canvas.js";
import { make, say, text } from "./draw.js";

const LOOK_MS = 200;
const WIDE = 480; // px of the part that is looked at
const FRAME = { left: 0.04, top: 0.28, width: 0.92, height: 0.44 }; // of what the screen shows
const MOST_MOVED = 6; // grey levels from one look to the next; a sensor's noise is 1 to 2
const DARK = 55; // grey level below which the lightest parts are too dark
const CLIPPED = 250;
const MOST_CLIPPED = 0.25; // of the part that is plain white
const LEAST_EDGES = 2.5; // grey levels between neighbours: an empty cloth has 1
const LEAST_SHARP = 0.3; // share of its edges that a blur takes away

// What the grey picture of the frame says: a key of the page's words.
// grey, before: WIDE px wide, row by row; before: the look before this one, or null.
function judge(grey, before) {
  const sorted = Uint8ClampedArray.from(grey).sort();
  if (sorted[Math.floor(0.99 * sorted.length)] < DARK) return "aim_dark";
  if (grey.filter((level) => level >= CLIPPED).length > MOST_CLIPPED * grey.length) return "aim_bright";
  if (before === null || meanOf(grey, (level, at) => Math.abs(level - before[at])) > MOST_MOVED) return "aim_still";
  const edges = edgesOf(grey);
  if (edges < LEAST_EDGES) return "aim_closer";
  return 1 - edgesOf(blurred(blurred(grey))) / edges < LEAST_SHARP ? "aim_blurred" : "aim_now";
}

function meanOf(values, of) {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += of(values[at], at);
  return sum / values.length;
}

const edgesOf = (grey) => meanOf(grey, (level, at) =>
  (at % WIDE ? Math.abs(level - grey[at - 1]) : 0) + (at >= WIDE ? Math.abs(level - grey[at - WIDE]) : 0));

// Each pixel is the mean of itself and its neighbours.
function blurred(grey) {
  const near = [-WIDE - 1, -WIDE, -WIDE + 1, -1, 0, 1, WIDE - 1, WIDE, WIDE + 1];
  return Float32Array.from(grey, (_, at) => near.reduce((sum, by) => sum + (grey[at + by] ?? grey[at]), 0) / near.length);
}

// Opens the frame; the whole picture as a JPEG, or null where none was taken.
// Throws what the browser does where it does not give its camera.
export async function aim() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
  });
  const [dialog, video, verdict, takes, closes] = opened();
  video.srcObject = stream;
  const eye = document.createElement("canvas");
  let before = null;
  const look = setInterval(() => {
    if (!video.videoWidth) return;
    const grey = lookAt(video, eye);
    const key = judge(grey, before?.length === grey.length ? before : null);
    before = grey;
    text(verdict, say(key));
    dialog.classList.toggle("now", key === "aim_now");
  }, LOOK_MS);
  const isTaken = await new Promise((done) => {
    takes.addEventListener("click", () => done(true));
    closes.addEventListener("click", () => done(false));
    dialog.addEventListener("close", () => done(false));
  });
  clearInterval(look);
  try {
    return isTaken ? await whole(video) : null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    dialog.remove();
  }
}

function opened() {
  const dialog = make("dialog");
  dialog.id = "aim";
  dialog.setAttribute("aria-label", say("photo_aim"));
  const video = make("video");
  Object.assign(video, { playsInline: true, muted: true, autoplay: true });
  const frame = make("i");
  Object.assign(frame.style, Object.fromEntries(Object.entries(FRAME).map(([side, share]) => [side, `${100 * share}%`])));
  const verdict = make("p", "", say("aim_still"));
  verdict.setAttribute("role", "status");
  const [takes, closes] = [make("button", "main", say("aim_take")), make("button", "quiet", say("close"))];
  const view = make("div", "", video, frame);
  dialog.append(view, verdict, takes, closes);
  document.body.append(dialog);
  dialog.showModal();
  return [dialog, video, verdict, takes, closes];
}

// The part of the video that lies in the frame on the screen, where it fills its box.
function lookAt(video, eye) {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const [wide, high] = [clientWidth / scale, clientHeight / scale];
  const [x, y] = [(videoWidth - wide) / 2 + FRAME.left * wide, (videoHeight - high) / 2 + FRAME.top * high];
  const [width, height] = [FRAME.width * wide, FRAME.height * high];
  eye.width = WIDE;
  eye.height = Math.round((WIDE * height) / width);
  const pen = eye.getContext("2d", { alpha: false, willReadFrequently: true });
  pen.drawImage(video, x, y, width, height, 0, 0, eye.width, eye.height);
  const { data } = pen.getImageData(0, 0, eye.width, eye.height);
  return Float32Array.from({ length: data.length / 4 }, (_, at) => (data[4 * at] + 2 * data[4 * at + 1] + data[4 * at + 2]) / 4);
}

async function whole(video) {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0);
  const blob = await blobOf(canvas, "image/jpeg", 0.92);
  if (blob === null) throw new Error("the browser makes no picture");
  return blob;
}
