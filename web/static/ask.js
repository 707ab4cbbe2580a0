// The oldest open question with its choices, and the commands that people give.

import { make, pick, pressable, say, setTile, sync, text, tile } from "./draw.js";
import { call } from "./net.js";
import { now } from "./time.js";

const SETTLE_MS = 5000;
const FRESH_MS = 400; // a tap so soon was meant for what was there before the question
const FEW = 6; // more choices than these are shown when asked for
const LIKELIEST = 4;
// While something is secret a picture is shown only once it is certain where the table lay in it.
const CROP_WAIT_MS = 3000;
const CROP_TRIES = 3;
const AGAIN_MS = 60000; // who gives the same command within this time tries again; later it is another

const card = document.getElementById("asked");

let questions = [];
let sending = null; // the question that an answer is on its way to
let wide = false; // all choices are shown
let since = 0; // when the question that is shown appeared

card?.querySelector(".more").addEventListener("click", () => {
  wide = true;
  draw();
});

export function drawQuestion(view) {
  if (card === null) return;
  questions = view.questions.filter((question) => question.mine); // others' are for others
  draw();
}

function draw() {
  const [top, words, faces] = card.children;
  const [crop, choices] = faces.children;
  const question = questions[0];
  card.hidden = question === undefined;
  document.body.classList.toggle("asked", question !== undefined);
  if (question === undefined) {
    sending = null;
    delete card.dataset.question; // it may be asked again, where its answer was taken back
    choices.replaceChildren();
    return;
  }
  if (card.dataset.question !== question.id) {
    card.dataset.question = question.id;
    sending = null;
    wide = false;
    since = performance.now();
    setTimeout(draw, FRESH_MS + 20);
    tell("");
    drawCrop(crop, question);
  }
  const several = questions.length;
  text(top.firstChild, several > 1 ? say("question_of", { n: several }) : say("question"));
  text(words, pick(question.text) + (question.choices.length ? "" : ` ${say("no_choices")}`));
  const isFresh = performance.now() - since < FRESH_MS;
  card.classList.toggle("fresh", isFresh);
  const isLong = question.choices.length > FEW && !wide;
  const shown = isLong ? question.choices.slice(0, LIKELIEST) : question.choices;
  card.querySelector(".more").hidden = !isLong;
  sync(choices, shown, (choice) => `${question.id} ${choice.answer}`, newChoice, (button, choice) => {
    text(button.querySelector(".label"), pick(choice.label));
    text(button.querySelector(".does"), doesOf(choice));
    if (choice.tile) setTile(button.firstChild, choice.tile);
    button.disabled = sending === question.id || isFresh;
  });
}

// The part of the picture that is in doubt, where it was kept.
function drawCrop(crop, question) {
  const place = question.evidence ? `/api/evidence/${encodeURIComponent(question.evidence)}/crop.jpg` : null;
  let tries = CROP_TRIES;
  crop.hidden = true;
  crop.onload = () => {
    crop.hidden = false;
  };
  crop.onerror = () => {
    tries -= 1;
    setTimeout(() => {
      if (tries > 0 && crop.getAttribute("src") === place) crop.src = place;
    }, CROP_WAIT_MS);
  };
  if (place) crop.src = place;
  else crop.removeAttribute("src");
  crop.alt = say("crop");
}

function newChoice(choice) {
  const question = questions[0].id;
  const label = make(choice.tile ? "small" : "span", "label");
  return pressable("", () => answer(question, choice.answer), choice.tile && tile(choice.tile), label, make("small", "does"));
}

// What an answer does, who has given it, and who else must say the same.
function doesOf(choice) {
  const parts = [pick(choice.does)];
  if (choice.said.length) parts.push(say("said_by", { who: choice.said.map(pick).join(say("comma")) }));
  if (choice.waits_for) parts.push(pick(choice.waits_for));
  return parts.filter(Boolean).join(" · ");
}

function tell(sentence, isAlarm = false) {
  const problem = card.querySelector(".problem");
  text(problem, sentence);
  problem.classList.toggle("alarm", isAlarm);
}

async function answer(question, choice) {
  sending = question;
  tell(say("sending"));
  draw();
  const refused = await send("/api/answer", { question, answer: choice });
  if (refused === null) {
    setTimeout(() => settle(question, ""), SETTLE_MS); // long before that the stream takes it away
  } else {
    settle(question, refused);
  }
}

// The answer has arrived, or why it has not.
function settle(question, refused) {
  if (sending !== question) return;
  sending = null;
  tell(refused, refused !== "");
  draw();
}

// Sends a command; null when it was accepted, else the sentence why not.
export const send = async (path, command) => (await post(path, command)).error ?? null;

// Sends a command; whether it was done. Why not is said for a while.
export async function press(path, command) {
  const refused = await send(path, command);
  if (refused !== null) complain(refused);
  return refused === null;
}

const complain = (sentence) => document.dispatchEvent(new CustomEvent("told", { detail: sentence }));

// The sentence of an answer that says no, in the page's language; undefined where it says yes.
export const refusal = (reply) => (reply.error ? pick(reply.error) : undefined);

// Sends a command and gives the answer, which has `error` where it was refused.
//
// Each command has a key. Whoever tries again because no answer came, or because it was not saved,
// tries under the same key, and nothing is done twice.
export async function post(path, command) {
  const name = `${path} ${JSON.stringify(command)}`;
  const key = keyOf(name);
  const { status, said } = await call(path, command, { "Idempotency-Key": key });
  if (said === null || status === 503) open.set(name, { key, until: said?.saved === false ? Infinity : soon() });
  else open.delete(name);
  if (said === null) return { error: say("not_sent") };
  if (said.before) complain(say("done_before"));
  return { ...said, error: refusal(said) };
}

// Commands of which nobody knows yet that they are on disk, with their keys.
const open = new Map();
const soon = () => now() + AGAIN_MS;

function keyOf(name) {
  const known = open.get(name);
  if (known && now() < known.until) return known.key;
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
