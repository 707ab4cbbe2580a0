// What a phone says aloud: it is your turn, you are asked, the hand is settled. All of it is off
// until its owner switches it on, on this phone alone.

import { pick, say } from "./draw.js";
import { ask, canNotify, notify } from "./notify.js";
import { local, read } from "./store.js";
import { titleOf } from "./win.js";

const NAME = "table-signals";
const TONES = { turn: [660], asked: [880, 660], settled: [523, 659, 784] }; // Hz, one after the other
const BUZZES = { turn: [120], asked: [120, 80, 120], settled: [250] }; // ms
const TONE_S = 0.16;
const IS_POSSIBLE = {
  sound: "AudioContext" in window,
  buzz: "vibrate" in navigator,
  voice: "speechSynthesis" in window,
  caller: "speechSynthesis" in window,
  notify: canNotify,
  awake: "wakeLock" in navigator, // over https alone
};

const panel = document.getElementById("signals");
const own = Number(document.body.dataset.own);
const chosen = new Set(read(local, NAME, []));

let last = null; // what was the case in the view before
let sound = null;
let lock = null;
let isWanted = false; // the screen is to stay on
let isAsking = false; // the browser for it

for (const box of panel.querySelectorAll("input")) {
  if (box.checked && !chosen.has(box.name)) choose(box); // tapped before this was here
  else box.checked = chosen.has(box.name);
  box.closest("label").hidden = !IS_POSSIBLE[box.name];
  box.addEventListener("change", () => choose(box));
}
// A browser makes no sound before its page was touched.
addEventListener("pointerdown", () => chosen.has("sound") && awaken());
document.addEventListener("visibilitychange", holdScreen);

async function choose(box) {
  const { name } = box;
  if (name === "notify" && box.checked) box.checked = await ask();
  const { checked } = box;
  if (checked) chosen.add(name);
  else chosen.delete(name);
  local.set(NAME, JSON.stringify([...chosen]));
  if (checked && (name === "voice" || name === "caller")) speak(say("signals"), name);
  else if (checked) signal("turn"); // as it will be
  holdScreen();
}

export function followSignals(view, called) {
  const before = last;
  last = {
    turn: view.phase === "playing" && !view.unfollowed && view.seats[own].turn,
    asked: view.questions.filter((question) => question.mine).map(({ id }) => id),
    lays: view.act === "show_hands" && view.act_by.includes(own),
    settled: view.phase === "settled" ? view.hand : 0,
    verdict: view.verdicts.map((verdict) => `${view.hand} ${verdict.seat} ${titleOf(verdict)}`).join(),
  };
  holdScreen();
  if (before === null) return; // what was so when the page was opened is no news
  const isAsked = last.asked.some((id) => !before.asked.includes(id)) || (last.lays && !before.lays);
  if (isAsked) signal("asked", pick(view.questions.find(({ mine }) => mine)?.text ?? view.headline));
  else if (last.turn && !before.turn) signal("turn", say("your_turn"));
  if (last.settled && last.settled !== before.settled) signal("settled");
  if (last.verdict && last.verdict !== before.verdict) speak(view.verdicts.map(sentenceOf).join(" "));
  if (called) speak(called, "caller");
}

export const call = (words) => speak(words, "caller");

function signal(what, words = "") {
  if (words && chosen.has("notify")) notify(words);
  if (chosen.has("buzz")) navigator.vibrate?.(BUZZES[what]);
  if (chosen.has("sound")) play(TONES[what]);
}

function awaken() {
  sound ??= new AudioContext();
  if (sound.state === "suspended") sound.resume();
  return sound;
}

function play(tones) {
  const context = awaken();
  tones.forEach((tone, at) => {
    const [source, volume] = [context.createOscillator(), context.createGain()];
    const begins = context.currentTime + TONE_S * at;
    source.frequency.value = tone;
    volume.gain.setValueAtTime(0.15, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + TONE_S);
    source.connect(volume).connect(context.destination);
    source.start(begins);
    source.stop(begins + TONE_S);
  });
}

// The verdict as it is written: who wins, by what, how much in all.
function sentenceOf(verdict) {
  const parts = [say(titleOf(verdict), { who: pick(verdict.who) })];
  if (verdict.valid) parts.push(...verdict.patterns.map(({ name }) => pick(name)), say("in_all", { n: verdict.total }));
  else parts.push(...verdict.refusals.map(pick));
  const stop = say("stop");
  return parts.map((part) => part.replace(/[.。]$/, "") + stop).join("");
}

// By the browser's own voice, in the page's language. A verdict interrupts what is called.
function speak(words, what = "voice") {
  if (!chosen.has(what)) return;
  const said = new SpeechSynthesisUtterance(words.trim());
  said.lang = say("locale");
  if (what === "voice") speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

// The screen stays on while something waits for this player.
async function holdScreen() {
  const waits = last !== null && (last.turn || last.lays || last.asked.length > 0);
  isWanted = waits && chosen.has("awake") && document.visibilityState === "visible";
  if (isAsking) return;
  isAsking = true;
  try {
    while (isWanted !== (lock !== null)) await (isWanted ? takeLock() : dropLock());
  } catch {
    // the battery is low, say: the screen goes off as it always does
  }
  isAsking = false;
}

async function takeLock() {
  const taken = await navigator.wakeLock.request("screen");
  lock = taken;
  taken.addEventListener("release", () => {
    if (lock === taken) lock = null;
  });
}

function dropLock() {
  const held = lock;
  lock = null;
  return held.release();
}
