// Letting phones in: a code to scan, the question on this side, and who is in.

import { post, send } from "./ask.js";
import { isolated, make, pick, pressable, say, sync, text } from "./draw.js";
import { get } from "./net.js";

const dialog = document.getElementById("phones");
const waiting = document.getElementById("waiting");
const OTHERS = ["scorer", "referee", "camera"];

let seats = [];
let offers = 0; // of several codes the one that was asked for last is shown
let lists = 0;

export function drawPhones(view) {
  seats = view.seats.map((seat) => pick(seat.who));
}

// Phones that wait for a word from here.
export function drawWaiting({ waiting: asks }) {
  if (waiting === null) return;
  raise();
  if (dialog?.open && !waiting.hidden && asks.length === 0) listDevices();
  waiting.hidden = asks.length === 0;
  sync(waiting.querySelector("ul"), asks, (ask) => ask.request, newAsk, (li, ask) => {
    const who = ask.seat === null ? say(`role_${ask.role}`) : seats[ask.seat];
    text(li.firstChild, say(ask.replaces ? "replaces" : "joins", { name: ask.name || say("a_phone"), who }));
    text(li.children[1], ask.number);
    text(li.children[2], ask.missing ? say("one_more") : "");
  });
}

// Who shows the code is asked there and then: what lies beneath an open dialog cannot be tapped.
function raise() {
  const place = dialog?.open ? dialog : document.body;
  if (waiting.parentElement !== place) place.append(waiting);
}

function newAsk(ask) {
  const decide = (allow) => send("/api/pair/decide", { request: ask.request, allow });
  const yes = pressable("main", () => decide(true), say("let_in_yes"));
  const no = pressable("quiet", () => decide(false), say("let_in_no"));
  return make("li", "", make("p"), make("b", "number"), make("small"), yes, no);
}

function open() {
  const roles = [
    ...seats.map((who, seat) => ({ key: `seat${seat}`, who, body: { role: "seat", seat } })),
    ...OTHERS.map((role) => ({ key: role, who: say(`role_${role}`), body: { role } })),
  ];
  sync(dialog.querySelector(".roles"), roles, (role) => role.key,
    (role) => pressable("quiet", () => offer(role)), (button, role) => text(button, role.who));
  offers += 1;
  dialog.querySelector(".code").replaceChildren();
  listDevices();
  dialog.showModal();
  raise();
}

async function offer(role) {
  const problem = dialog.querySelector(".problem");
  text(problem, "");
  offers += 1;
  const mine = offers;
  const made = await post("/api/pair/offer", role.body);
  if (mine !== offers) return undefined;
  if (made.error) return text(problem, made.error);
  const drawn = new DOMParser().parseFromString(made.svg, "text/html").querySelector("svg");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", made.url);
  const lines = [make("b", "", role.who), make("p", "", made.url)];
  if (!made.reachable) lines.push(make("p", "alarm", say("not_reachable")));
  dialog.querySelector(".code").replaceChildren(drawn, ...lines);
  return undefined;
}

async function listDevices() {
  lists += 1;
  const mine = lists;
  const { devices } = (await get("/api/devices")) ?? { devices: [] }; // the line is gone for a moment
  if (mine !== lists) return;
  sync(dialog.querySelector(".devices"), devices, (device) => device.device, (device) => {
    const letOut = async () => {
      await send("/api/devices/revoke", { device: device.device });
      listDevices();
    };
    return make("li", "", make("span"), pressable("quiet", letOut, say("let_out")));
  }, (li, device) => {
    const who = device.seat === null ? say(`role_${device.role}`) : seats[device.seat];
    text(li.firstChild, [device.name, who].filter(Boolean).map(isolated).join(", "));
  });
}

if (dialog !== null) {
  document.getElementById("open-phones")?.addEventListener("click", open);
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", raise);
}
