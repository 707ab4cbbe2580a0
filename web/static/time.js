// One clock for all that is counted on a page: it goes on while the device sleeps, and is not set.

const SLEPT_MS = 1000; // the one clock stood still for so long: the device slept

let slept = 0;
let apart = Date.now() - performance.now();
const woken = [];

// Milliseconds. While some phones sleep `performance` stands still; the other clock may be set back.
export function now() {
  const gone = Date.now() - performance.now() - apart;
  if (Math.abs(gone) > SLEPT_MS) {
    apart += gone;
    if (gone > 0) {
      slept += gone;
      for (const wake of woken) setTimeout(wake);
    }
  }
  return performance.now() + slept;
}

// What is shown by this clock is asked for anew when the device has slept, or its clock was set.
export const whenWoken = (wake) => woken.push(wake);

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// What comes of it within the time; undefined where nothing does: the optional has a way without it.
export const within = (ms, promise) => Promise.race([promise, pause(ms)]).catch(() => undefined);

export function minutes(seconds) {
  const whole = Math.floor(Math.abs(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// The time that is left, of what the program said: it counts on by itself while its clock runs.
export class Countdown {
  #heard = 0;

  constructor() {
    this.said = null;
  }

  take(said) {
    [this.said, this.#heard] = [said, now()];
  }

  left(seconds) {
    return seconds - (this.said.running ? (now() - this.#heard) / 1000 : 0);
  }
}
