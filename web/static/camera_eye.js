// The phone's camera: a lens, its lamp, and pictures that stay as they were when the page is turned.

import { blobOf } from "./canvas.js";
import { local, read } from "./store.js";

const QUALITY = 0.85;
const LARGEST = 2_900_000; // bytes: the table takes 3 MB
const FROZEN_MS = 1500;
const FIRST = 20; // pictures by which later ones are found slow
const WIDTHS = { 720: 1280, 1080: 1920, 2160: 3840 };
const KEPT = "camera_upright";

// By how many degrees, clockwise, the video is to be turned so that it is as it was kept.
//
// A phone's browser turns its video with the page, which a phone that lies flat does at random.
// That it does is seen by width and height; of a half turn nothing is seen, so `turns` says it.
function turnBack(now, kept, turns) {
  const turned = (((now.angle - kept.angle) % 360) + 360) % 360;
  if (turned % 180 === 90) return now.wide === kept.wide ? 0 : turned;
  return turned === 180 && turns ? 180 : 0;
}

export class Eye {
  #video;
  #canvas;
  #stream = null;
  #turns = /Android|iPhone|iPad/.test(navigator.userAgent);
  #took = [];
  #seen = 0; // frames of the video
  #used = 0;
  #seenAt = 0; // ms, when the newest came

  constructor(video, canvas) {
    this.#video = video;
    this.#canvas = canvas;
    this.turned = 0;
    this.ended = () => {};
  }

  async open(lens, height) {
    this.close();
    const size = { width: { ideal: WIDTHS[height] }, height: { ideal: height }, frameRate: { ideal: 15, max: 30 } };
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } };
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...size } });
    const [track] = this.#stream.getVideoTracks();
    track.addEventListener("ended", () => this.ended());
    if (track.getCapabilities?.().focusMode?.includes("continuous")) {
      await track.applyConstraints({ advanced: [{ focusMode: "continuous" }] }).catch(() => {});
    }
    this.#video.srcObject = this.#stream;
    await this.#video.play();
    this.#took = [];
    this.#watch(this.#stream);
  }

  close() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }

  // Every picture of the video is noted: one that stands still is not sent again.
  #watch(stream) {
    const noted = () => {
      if (this.#stream !== stream) return;
      this.#seen += 1;
      this.#seenAt = performance.now();
      this.#video.requestVideoFrameCallback(noted);
    };
    this.#video.requestVideoFrameCallback(noted);
  }

  get track() {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  get hasNew() {
    return this.#seen !== this.#used && this.#video.videoWidth > 0;
  }

  get isFrozen() {
    return performance.now() - this.#seenAt > FROZEN_MS;
  }

  get hasTorch() {
    return Boolean(this.track?.getCapabilities?.().torch);
  }

  async torch(on) {
    await this.track.applyConstraints({ advanced: [{ torch: on }] });
  }

  async lenses() {
    const all = await navigator.mediaDevices.enumerateDevices();
    return all.filter((device) => device.kind === "videoinput");
  }

  // How many times longer than at first a picture takes; null while that is not known.
  get slowed() {
    if (this.#took.length < 2 * FIRST) return null;
    const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    return middle(this.#took.slice(-FIRST)) / Math.max(1, middle(this.#took.slice(0, FIRST)));
  }

  get #held() {
    return { angle: screen.orientation?.angle ?? 0, wide: this.#video.videoWidth >= this.#video.videoHeight };
  }

  // From now on pictures stay as this one is.
  keepUpright() {
    local.set(KEPT, JSON.stringify({ ...this.#held, angle: (this.#held.angle - this.turned + 360) % 360 }));
  }

  #upright() {
    const kept = read(local, KEPT, null);
    if (kept === null) this.keepUpright();
    return kept ?? this.#held;
  }

  // The newest picture as a JPEG, and when it was taken.
  async picture() {
    const started = performance.now();
    const taken = this.#seenAt;
    this.#used = this.#seen;
    const held = this.#held;
    const kept = this.#upright();
    if (held.wide !== kept.wide && (held.angle - kept.angle) % 180 !== 0) this.#turns = true;
    this.turned = turnBack(held, kept, this.#turns);
    this.#draw();
    let blob = null;
    for (let quality = QUALITY; blob === null || (blob.size > LARGEST && quality > 0.3); quality -= 0.15) {
      blob = await blobOf(this.#canvas, "image/jpeg", quality);
      if (blob === null) throw new Error("the browser makes no picture");
    }
    this.#took.push(performance.now() - started);
    if (this.#took.length > 4 * FIRST) this.#took.splice(FIRST, FIRST);
    return { blob, taken };
  }

  #draw() {
    const { videoWidth: width, videoHeight: height } = this.#video;
    const across = this.turned % 180 !== 0;
    const canvas = this.#canvas;
    const [w, h] = across ? [height, width] : [width, height];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const pen = canvas.getContext("2d", { alpha: false });
    pen.setTransform(1, 0, 0, 1, w / 2, h / 2);
    pen.rotate((this.turned * Math.PI) / 180);
    pen.drawImage(this.#video, -width / 2, -height / 2);
  }
}
