// A table in another language: it joins, is seated, sends a hand. It knows docs/WIRE.md alone.
// node wire_client.mjs HUB LOG: the log is a published one; its first hand is sent. The code that the
// director types is printed, then what the hub has.

import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const [hub, log] = process.argv.slice(2);
const HEADER = "table-assist-signature";
const sha = (text) => createHash("sha256").update(text);
const raw = (key) => Buffer.from(key.export({ format: "jwk" }).x, "base64url").toString("hex");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const table = raw(publicKey);
const own = (purpose, text) => Buffer.from(`table-assist ${purpose}\n${text}`);

function holds({ key, signature }, purpose, text) {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "hex").toString("base64url") };
  const given = createPublicKey({ key: jwk, format: "jwk" });
  return verify(null, own(purpose, text), given, Buffer.from(signature, "hex"));
}

async function post(path, purpose, body, answered) {
  const signature = sign(null, own(purpose, body), privateKey).toString("hex");
  const headers = { [HEADER]: JSON.stringify({ key: table, signature }) };
  const reply = await fetch(hub + path, { method: "POST", headers, body });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status} ${text}`);
  const by = JSON.parse(reply.headers.get(HEADER));
  if (by.key !== known.key || !holds(by, answered, text)) throw new Error("not the club's answer");
  return JSON.parse(text);
}

// -- joining: the code is made of both keys, and a person carries it to the desk

const known = await (await fetch(`${hub}/api/uplink/key`)).json();
const salt = randomBytes(8).toString("hex");
const digest = sha(["table-assist club", known.key, known.authority, table, salt].join("\n")).digest();
const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
const letters = Array.from({ length: 10 }, (_, n) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(bits.slice(5 * n, 5 * n + 5), 2)]);
const code = `${letters.slice(0, 5).join("")}-${letters.slice(5).join("")}`;
console.log(code);
while ((await post("/api/uplink/join", "club join", JSON.stringify({ salt }), "club join")).in !== code) {
  await new Promise((done) => setTimeout(done, 100));
}

// -- the log: entries as text, each with its seal

const rows = [];
function add(text) {
  const before = rows.length ? rows.at(-1).seal : "";
  const entry = text.replace(/^\{"seq":\d+/, `{"seq":${rows.length + 1}`);
  rows.push({ seal: sha(before + entry).digest("hex"), entry });
}

const epoch = randomBytes(16).toString("hex");
let turn = 0;
let have = 0;
const done = new Set();
async function send() {
  turn += 1;
  const head = { format: "table-assist club", version: 1, epoch, turn, after: have, view: { hand: 1 } };
  const lines = rows.slice(have, have + 400).map(({ seal, entry }) => `{"seal":"${seal}","entry":${entry}}`);
  const answer = await post("/api/uplink", "club batch", [JSON.stringify(head), ...lines].join("\n"), "club answer");
  if (answer.said === "turn") turn = answer.turn;
  else if (answer.said !== "kept" && answer.said !== "gap") throw new Error(answer.said);
  else have = answer.have;
  for (const order of answer.orders) obey(order);
}

function obey({ key, kind, content, by, signature }) {
  const text = JSON.stringify(content);
  const signed = [table, key, kind, by, text].join("\n");
  const hubs = JSON.parse(signature);
  if (done.has(key) || hubs.key !== known.key || !holds(hubs, "club order", signed)) return;
  done.add(key);
  const event = { type: "Attested", kind: "club", fields: [key, kind, text, by, signature, ""] };
  add(`{"seq":0,"t":1000.5,"source":"person","confidence":1.0,"origin":"","event":${JSON.stringify(event)}}`);
}

// -- it waits to be seated, and plays a hand

while (rows.length === 0) {
  await send();
  await new Promise((wait) => setTimeout(wait, 100));
}
for (const line of readFileSync(log, "utf-8").trim().split("\n").slice(1)) {
  const entry = line.slice(line.indexOf('"entry":') + 8, -1);
  add(entry);
  if (entry.includes('"type":"Settled"')) break;
}
while (have < rows.length) await send();
console.log(have);
