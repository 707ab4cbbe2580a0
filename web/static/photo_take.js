// Pictures of a hand: taken, sent, shown with what was read in them.

import { post } from "./ask.js";
import { isTrue } from "./canvas.js";
import { make, pick, say, sync, text } from "./draw.js";
import { fetched } from "./part.js";
import { nobody, pieces, sizeOf } from "./photo_hand.js";
import { sendPhoto, shrunk } from "./photo_send.js";
import { drop, keep, kept } from "./photo_wait.js";

const HAND = 14;
// What was kept is made ready while the page still asks for the table.
const waiting = document.body.dataset.view === "worth" ? Promise.resolve([]) : kept().then((all) => all.map((file) => ({ ...file, ready: readyOf(file) })));
const find = (name) => document.querySelector(name);

// page: the page's state; changed: draws it anew; problem: says a sentence.
export function followPictures(page, changed, problem) {
  for (const input of document.querySelectorAll("#take input, #hand input")) {
    const chosen = () => {
      const files = [...input.files];
      input.value = ""; // the same file may be chosen again
      takeAll(files.map((blob) => ({ blob })), page, changed, problem);
    };
    input.addEventListener("change", chosen);
    if (input.files.length) chosen(); // it was quicker than the page
  }
  for (const button of document.querySelectorAll("button.aim")) {
    button.hidden = true;
    // Over https alone; where a canvas gives noise nobody could be told to hold still.
    isTrue().then((isGood) => { button.hidden = !isGood || !navigator.mediaDevices?.getUserMedia; });
    button.addEventListener("click", () => aimed(page, changed, problem));
  }
  waiting.then((files) => takeAll(files, page, changed, problem));
}

// A picture through the live frame.
async function aimed(page, changed, problem) {
  const { aim } = await fetched("./photo_aim.js");
  try {
    const blob = await aim();
    if (blob !== null) await takeAll([{ blob }], page, changed, problem);
  } catch {
    problem(say("aim_denied"));
  }
}

let before = Promise.resolve(); // pictures are read one after the other, as they were taken
let given = 0; // up: whoever taps the tiles waits for no picture any more

function takeAll(files, page, changed, problem) {
  const mine = given;
  before = before.catch(() => {}).then(() => takeNow(files, page, changed, problem, () => mine === given));
  return before;
}

// What is still read, or waits to be sent, never shows over tiles that are tapped in by hand.
export async function waitForNone(problem) {
  given += 1;
  problem("");
  for (const { number } of await kept()) drop(number);
}

async function takeNow(files, page, changed, problem, isWanted) {
  let refused = null; // the last of them: one that is refused keeps none of the others
  for (const file of files.filter(isWanted)) {
    problem(say("photo_reading"), false);
    refused = (await take(file, page, problem, isWanted).catch(() => say("photo_failed"))) ?? refused;
    if (!isWanted()) return;
  }
  if (!files.length) return;
  changed();
  problem(refused ?? "");
}

function readyOf(file) {
  return file.isShrunk ? file.blob : shrunk(file.blob);
}

// Null when it was read; else why not.
async function take(file, page, problem, isWanted) {
  const blob = await (file.ready ?? readyOf(file));
  const mine = page.isPrivate ? undefined : await keep(blob, { isShrunk: true, number: file.number });
  const answer = await sendPhoto(page.isPrivate ? "/api/photo/private" : "/api/photo", blob, () => isWanted() && problem(say("photo_waiting")));
  drop(mine);
  // A page that was loaded anew before that was done has it twice: the same bytes, the same name.
  if (!isWanted() || page.photos.includes(answer.id)) return null;
  if (answer.error) return answer.error;
  page.pictures.push({ id: answer.id, url: URL.createObjectURL(blob), advice: answer.advice });
  if (page.isPrivate) {
    page.hand = together(page.hand, answer.hand);
    return null;
  }
  page.photos.push(answer.id);
  if (page.photos.length === 1) {
    page.hand = { ...nobody(), ...answer.hand };
    return null;
  }
  const all = await post("/api/photos", { photos: page.photos });
  if (all.error) return all.error;
  page.hand = { ...nobody(), ...all.hand };
  return null;
}

// A second picture is one more part of the hand, where there is room for it; else another hand.
function together(one, other) {
  const size = (hand) => hand.concealed.length + 3 * hand.melds.length;
  if (size(one) === 0 || size(one) + size(other) > HAND) return { ...nobody(), ...other };
  return {
    concealed: [...one.concealed, ...other.concealed],
    melds: [...one.melds, ...other.melds],
    bonus: [...one.bonus, ...other.bonus],
    others: [...one.others, ...other.others],
    winning: other.winning === null ? one.winning : one.concealed.length + other.winning,
  };
}

export function drawPictures(page) {
  const advice = page.pictures.at(-1)?.advice ?? [];
  sync(find(".advice"), advice, (each) => each.trouble, () => make("li"), (li, each) => text(li, pick(each.words)));
  find(".seen").hidden = page.pictures.length === 0;
  if (page.hand.others.length && sizeOf(page.hand) < HAND) find(".seen").open = true; // what is missing may be there
  const boxes = [...pieces(page.hand), ...page.hand.others.map((each) => ({ ...each, isOther: true }))];
  const newFigure = ({ url }) => make("figure", "", Object.assign(make("img"), { src: url, alt: "" }));
  sync(find(".pictures"), page.pictures, (picture) => picture.id, newFigure, (figure, picture) => {
    for (const mark of figure.querySelectorAll("i")) mark.remove();
    for (const each of boxes.filter((piece) => piece.photo === picture.id)) {
      const [left, top, width, height] = each.box.map((share) => `${share * 100}%`);
      const mark = make("i", each.isOther ? "other" : each.tile === "?" ? "unread" : "");
      Object.assign(mark.style, { left, top, width, height });
      figure.append(mark);
    }
  });
}

// The part of its picture where a tile lies, as an element; null for one that nobody photographed.
export function cropOf(page, piece) {
  const picture = page.pictures.find((each) => each.id === piece.photo);
  if (!picture) return null;
  const [left, top, width, height] = piece.box;
  const crop = make("div", "crop");
  const image = make("img");
  image.src = picture.url;
  image.alt = "";
  image.onload = () => {
    const shape = image.naturalWidth / image.naturalHeight;
    crop.style.aspectRatio = String((width / height) * shape);
  };
  Object.assign(image.style, { width: `${100 / width}%`, left: `${(-100 * left) / width}%`, top: `${(-100 * top) / height}%` });
  crop.append(image);
  return crop;
}
