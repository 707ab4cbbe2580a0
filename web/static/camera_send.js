// Pictures to the table: one under way at a time, as often as the table asks, again after a loss.

import { call } from "./net.js";
import { pause } from "./time.js";

const PATH = "/api/camera";
const ANSWER_MS = 8000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
const LOOK_MS = 40; // for the next picture of the video
const REMEMBERED = 20; // answers by which the table's clock is known
const LATELY_MS = 4000;

export class Sender {
  #eye;
  #tell;
  #clocks = [];
  #run = "";
  #wait = FIRST_WAIT_MS;
  #times = [];

  // `tell(state)` hears what becomes of it: sending, waiting, frozen, away, refused, out.
  constructor(eye, tell) {
    this.#eye = eye;
    this.#tell = tell;
    this.sent = 0;
    this.lost = 0;
    this.state = null; // the table's last answer
    this.told = () => ({});
  }

  get perSecond() {
    const since = performance.now() - LATELY_MS;
    this.#times = this.#times.filter((time) => time >= since);
    return this.#times.length / (LATELY_MS / 1000);
  }

  async go() {
    for (;;) {
      try {
        if (this.#run === "") await this.#greet();
        else await this.#once();
      } catch {
        await this.#away();
      }
    }
  }

  async #greet() {
    await this.#hear(await call(PATH, undefined, {}, ANSWER_MS));
  }

  async #once() {
    const started = performance.now();
    if (!this.#eye.hasNew) {
      if (this.#eye.isFrozen) this.#tell("frozen");
      await pause(LOOK_MS);
      return;
    }
    const { blob, taken } = await this.#eye.picture();
    const said = { run: this.#run, taken_ms: Math.round(taken + Math.max(...this.#clocks)), lost: this.lost, turned: this.#eye.turned, ...this.told() };
    const headers = { "Content-Type": "image/jpeg", "X-Phone": JSON.stringify(said) };
    const reply = await call(`${PATH}/frame`, blob, headers, ANSWER_MS);
    if (reply.said === null) this.lost += 1;
    if (!(await this.#hear(reply))) this.lost += 1;
    else {
      this.sent += 1;
      this.#times.push(performance.now());
    }
    await pause(Math.max(0, (this.state?.every_ms ?? 1000) - (performance.now() - started)));
  }

  // Take an answer in; whether it was a yes.
  async #hear({ ok, status, said: answer }) {
    if (answer === null) throw new Error("nobody answered");
    if (answer.run) this.#learn(answer);
    if (ok) {
      this.state = answer;
      this.#wait = FIRST_WAIT_MS;
      this.#tell(answer.every_ms >= 1000 ? "waiting" : "sending");
      return true;
    }
    if (answer.late) return false; // the clock is known anew
    this.#run = "";
    this.#tell(status === 403 ? "out" : "refused", answer.error);
    await pause(LONGEST_WAIT_MS);
    return false;
  }

  // The table's clock: at this moment it shows at least what it showed when it answered.
  #learn({ run, now_ms: now }) {
    if (run !== this.#run) this.#clocks = [];
    this.#run = run;
    this.#clocks.push(now - performance.now());
    if (this.#clocks.length > REMEMBERED) this.#clocks.shift();
  }

  async #away() {
    this.#tell("away");
    await pause(this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }
}
