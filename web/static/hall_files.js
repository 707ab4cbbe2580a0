// The files of disputed hands on the desk, asked for and opened; and the pictures of great hands.

import { make, say, sync, text } from "./draw.js";
import { again, ask, button, byId } from "./hall_table.js";

const LOOK_MS = 2500;
const list = byId("files");
let files = [];
let pictures = [];
let tell = async () => null;

export function followFiles(telling) {
  tell = telling;
  again(LOOK_MS, async () => {
    [{ files }, { pictures }] = await Promise.all(["files", "pictures"].map((what) => ask(`/api/desk/${what}`)));
    drawFiles();
  });
}

export function drawFiles() {
  sync(list, files, (each) => `${each.table} ${each.hand} ${each.at} ${each.file}`, (each) => {
    const item = make("li", "", make("span"));
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
  byId("no-pictures").hidden = pictures.length > 0;
  sync(byId("pictures"), pictures, (each) => each.picture, newPicture, (item, each) => text(item.firstChild, say("file_of", each)));
}

function newPicture({ picture }) {
  const item = make("li");
  const link = make("a");
  link.href = `/api/picture/${picture}.jpg`;
  item.append(link);
  if (byId("pictures").dataset.may !== "true") return item;
  item.append(button("file_delete", () => tell("picture/remove", { picture })));
  return item;
}

function how({ refused, have, size }) {
  if (refused) return say("file_refused", { why: refused });
  return have ? say("file_comes", { n: Math.floor((100 * have) / size) }) : say("file_waits");
}
