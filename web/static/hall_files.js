// The files of disputed hands on the desk: asked for, and opened once they have come.

import { make, say, sync, text } from "./draw.js";

const LOOK_MS = 2500;
const list = document.getElementById("files");
let files = [];

export function followFiles() {
  document.addEventListener("done", look);
  look();
  setInterval(look, LOOK_MS);
}

export function drawFiles() {
  sync(list, files, (each) => `${each.table} ${each.hand} ${each.at} ${each.file}`, (each) => {
    const item = make("li");
    item.append(make("span"));
    if (each.file) {
      const link = make("a", "quiet button", say("file_open"));
      link.dataset.say = "file_open";
      link.href = `/desk/file/${each.file}`;
      item.append(link);
    } else item.append(make("span", "empty"));
    return item;
  }, (item, each) => {
    text(item.firstChild, say("file_of", each));
    if (!each.file) text(item.lastChild, how(each));
  });
}

function how({ refused, have, size }) {
  if (refused) return say("file_refused", { why: refused });
  return have ? say("file_comes", { n: Math.floor((100 * have) / size) }) : say("file_waits");
}

async function look() {
  try {
    const reply = await fetch("/api/desk/files", { cache: "no-store" });
    if (reply.ok) ({ files } = await reply.json());
  } catch {
    // it is asked again
  }
  drawFiles();
}
