// A table's open line in another language; it knows docs/WIRE.md alone.
// node wire_line.mjs HUB HUB-KEY SECRET BATCH…: sends each file over one line and prints each answer.

import { createHmac, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const [hub, hubKey, secret, ...files] = process.argv.slice(2);
const hex = (key) => Buffer.from(key.export({ format: "jwk" }).x, "base64url").toString("hex");
const from = (crv, key) => createPublicKey({ key: { kty: "OKP", crv, x: Buffer.from(key, "hex").toString("base64url") }, format: "jwk" });
const own = createPrivateKey({ key: Buffer.from(`302e020100300506032b657004220420${secret}`, "hex"), format: "der", type: "pkcs8" });
const table = hex(createPublicKey(own));
const share = generateKeyPairSync("x25519");
const said = (purpose, body) => Buffer.from(`table-assist ${purpose}\n${body}`);

const line = new WebSocket(`${hub.replace("http", "ws")}/api/uplink/line`);
line.binaryType = "arraybuffer";
const next = () => new Promise((heard, lost) => {
  line.onmessage = ({ data }) => heard(Buffer.from(data));
  line.onclose = () => lost(new Error("the hub hangs up"));
});
await new Promise((open) => (line.onopen = open));

const hello = JSON.stringify({ version: 1, hub: hubKey, share: hex(share.publicKey) });
line.send(Buffer.from(`${JSON.stringify({ key: table, signature: sign(null, said("club hello", hello), own).toString("hex") })}\n${hello}`));
const [signature, welcome] = (await next()).toString().split("\n");
const by = JSON.parse(signature);
const theirs = JSON.parse(welcome);
const holds = verify(null, said("club welcome", welcome), from("Ed25519", by.key), Buffer.from(by.signature, "hex"));
if (!holds || by.key !== hubKey || theirs.table !== table || theirs.to !== hex(share.publicKey)) throw new Error("not the club's welcome");

const shared = diffieHellman({ privateKey: share.privateKey, publicKey: from("X25519", theirs.share) });
const keys = Buffer.from(hkdfSync("sha256", shared, "", `table-assist club line\n${welcome}`, 64));
const code = (key, number, content) => {
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(number));
  return createHmac("sha256", key).update(count).update(content).digest();
};
for (const [n, file] of files.entries()) {
  const batch = readFileSync(file);
  line.send(Buffer.concat([code(keys.subarray(0, 32), n + 1, batch), batch]));
  const got = await next();
  if (!code(keys.subarray(32), n + 1, got.subarray(32)).equals(got.subarray(0, 32))) throw new Error("not the club's answer");
  console.log(got.subarray(32).toString());
}
line.onclose = null;
line.close();
