// The evening's picture is sent, and points become money where the house plays for some.

import { blobOf, isTrue } from "./canvas.js";
import { currentLanguage, points, text } from "./draw.js";
import { local, read } from "./store.js";
import { followSwitches } from "./switches.js";

const WIDTH = 1080;
const form = document.getElementById("stake");
const numbers = [...document.querySelectorAll(".num[data-points]")];
const KEPT = "stake";

const shownIn = currentLanguage();
followSwitches(() => currentLanguage() !== shownIn && location.reload());
for (const each of numbers) text(each, points(Number(each.dataset.points)));
if (form !== null) {
  Object.entries(read(local, KEPT, {})).forEach(([name, value]) => { form.elements[name].value = value; });
  form.addEventListener("input", reckon);
  form.addEventListener("submit", (event) => event.preventDefault());
  reckon();
}
document.querySelector(".share").addEventListener("click", share);

function reckon() {
  const [worth, currency] = [form.elements.worth.value, form.elements.currency.value.trim()];
  local.set(KEPT, JSON.stringify({ worth, currency }));
  for (const each of document.querySelectorAll(".payments .num")) {
    text(each, `${exactly(each.dataset.points, worth)} ${currency}`.trim());
  }
}

// All digits of a product: nothing is rounded.
function exactly(points, worth) {
  const [whole, part = ""] = (/^\d*\.?\d*$/u.test(worth) ? worth : "0").split(".");
  const digits = String(BigInt(whole + part) * BigInt(points)).padStart(part.length + 1, "0");
  return part === "" ? digits : `${digits.slice(0, -part.length)}.${digits.slice(-part.length)}`;
}

async function share() {
  const file = await drawn();
  try {
    if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file] });
  } catch (error) {
    if (error.name === "AbortError") return undefined; // whoever shares thought better of it
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  return link.click();
}

async function drawn() {
  const drawing = new XMLSerializer().serializeToString(document.querySelector(".picture svg"));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.height) / image.width);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = (await isTrue()) ? await blobOf(canvas, "image/png") : null;
  return blob === null ? new File([drawing], "evening.svg", { type: "image/svg+xml" }) : new File([blob], "evening.png", { type: blob.type });
}
