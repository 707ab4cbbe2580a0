// Talking to the program: each question has a time limit, and no answer is an exception.

import { pause } from "./time.js";

const ANSWER_MS = 30_000;
const UPLOAD_MS = 180_000;
const AGAIN_MS = 2_000;
const AWAY = [0, 502, 503, 504]; // a proxy's words for a line that is lost

// {ok, status, said}: status 0 where nobody answered, said null where it was not the program.
// Content is sent as it is where it is a file, else as JSON.
export async function call(path, content, headers = {}, ms = content instanceof Blob ? UPLOAD_MS : ANSWER_MS) {
  const isFile = content instanceof Blob;
  const token = document.querySelector("meta[name=table-token]")?.content;
  const type = isFile ? "application/octet-stream" : "application/json";
  const sent = { method: "POST", headers: { "Content-Type": type, "X-Table-Token": token, ...headers }, body: isFile ? content : JSON.stringify(content) };
  try {
    const signal = AbortSignal.timeout?.(ms);
    const reply = await fetch(path, { cache: "no-store", signal, ...(content === undefined ? {} : sent) });
    return { ok: reply.ok, status: reply.status, said: await reply.json().catch(() => null) };
  } catch {
    return { ok: false, status: 0, said: null };
  }
}

// Whether it may succeed when it is tried again.
export const isAway = ({ ok, status, said }) => said === null && (ok || AWAY.includes(status));

// The answer; null where there is none, or it says no.
export async function get(path) {
  const { ok, said } = await call(path);
  return ok ? said : null;
}

// As `get`, asked again until somebody answers, as long as it is wanted.
export async function insist(path, isWanted = () => true) {
  for (;;) {
    const answer = await call(path);
    if (answer.ok && answer.said !== null) return answer.said;
    if (!isAway(answer) || !isWanted()) return null;
    await pause(AGAIN_MS);
  }
}
