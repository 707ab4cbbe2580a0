// What a phone says aloud: it is your turn, you are asked, the hand is settled. All of it is off
// until its owner switches it on, on this phone alone.

import { currentLanguage, pick, say } from "./draw.js";

const NAME = "table-signals";
const panel = document.getElementById("signals");
const own = Number(document.body.dataset.own);
const boxes = [...(panel?.querySelectorAll("input") ?? [])];
const chosen = read();
const TONES = { turn: [660], asked: [880, 660], settled: [523, 659, 784] };
const BUZZES = { turn: [120], asked: [120, 80, 120], settled: [250] };

let last = null; // what was the case in the view before
let sound = null;
let lock = null;

for (const box of boxes) {
  box.checked = chosen.has(box.name);
  box.closest("label").hidden = !isPossible(box.name);
  box.addEventListener("change", () => {
    if (box.checked) chosen.add(box.name);
    else chosen.delete(box.name);
    keep();
    if (box.checked) signal("turn"); // as it will be; and browsers want a tap before any sound
    hold(last?.turn ?? false);
  });
}

function read() {
  try {
    return new Set(JSON.parse(localStorage.getItem(NAME)) ?? []);
  } catch {
    return new Set();
  }
}

function keep() {
  try {
    localStorage.setItem(NAME, JSON.stringify([...chosen]));
  } catch {
    // a browser that keeps nothing: it holds until the page is closed
  }
}

function isPossible(name) {
  if (name === "buzz") return "vibrate" in navigator;
  if (name === "voice") return "speechSynthesis" in window;
  if (name === "awake") return "wakeLock" in navigator; // over https alone
  return "AudioContext" in window;
}

export function followSignals(view) {
  if (panel === null) return;
  const now = {
    turn: view.phase === "playing" && view.seats[own].turn && !view.unfollowed,
    asked: view.questions.filter((question) => question.mine).length,
    settled: view.phase === "settled" ? view.hand : 0,
    shown: view.verdicts.map((verdict) => `${view.hand} ${verdict.seat} ${verdict.valid}`).join(),
  };
  const before = last;
  last = now;
  hold(now.turn || now.asked > 0);
  if (before === null) return; // what was so when the page was opened is no news
  if (now.asked > before.asked) signal("asked");
  else if (now.turn && !before.turn) signal("turn");
  if (now.settled && now.settled !== before.settled) signal("settled");
  if (now.shown && now.shown !== before.shown) speak(view);
}

function signal(what) {
  if (chosen.has("buzz")) navigator.vibrate?.(BUZZES[what]);
  if (chosen.has("sound")) play(TONES[what]);
}

function play(tones) {
  sound ??= new AudioContext();
  sound.resume();
  tones.forEach((tone, at) => {
    const [source, volume] = [sound.createOscillator(), sound.createGain()];
    const begins = sound.currentTime + 0.16 * at;
    source.frequency.value = tone;
    volume.gain.setValueAtTime(0.15, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.15);
    source.connect(volume).connect(sound.destination);
    source.start(begins);
    source.stop(begins + 0.16);
  });
}

// The verdict, as it is written, in the page's language by the browser's own voice.
function speak(view) {
  if (!chosen.has("voice")) return;
  const said = view.verdicts.map((verdict) => [
    say(verdict.valid ? "wins" : "wins_not", { who: pick(verdict.who) }),
    ...(verdict.valid ? [...verdict.patterns.map((pattern) => pick(pattern.name)), `${say("worth")} ${verdict.total}`] : []),
  ].join(". "));
  const words = new SpeechSynthesisUtterance(said.join(". "));
  words.lang = currentLanguage() === "zh" ? "zh-CN" : "en-GB";
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// The screen stays on while something waits for this player.
async function hold(isWanted) {
  const wants = isWanted && chosen.has("awake") && document.visibilityState === "visible";
  if (wants === (lock !== null)) return;
  if (!wants) {
    const held = lock;
    lock = null;
    await held.release().catch(() => {});
    return;
  }
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    lock = null; // the battery is low, say
  }
}

document.addEventListener("visibilitychange", () => last !== null && hold(last.turn || last.asked > 0));
