// Four corners on a picture: a finger drags them, arrow keys move them, and the program places them,
// one answer after the other: the last one is of the corners as they are.

const SVG = "http://www.w3.org/2000/svg";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // px for an arrow key with Shift

export function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");

export class Corners {
  at = []; // in the picture's pixels, as they are dragged; the program's answer comes a moment later
  dragged = null; // which one
  isFixed = false;
  placed = Promise.resolve(); // when the program has them as they are
  #drawing;
  #send;
  #moved;
  #isSending = false;
  #isWaiting = false;

  // `send` tells the program where they are, and gives a way to show its answer; `moved` draws them.
  constructor(drawing, send, moved) {
    [this.#drawing, this.#send, this.#moved] = [drawing, send, moved];
    this.handles = [0, 1, 2, 3].map((index) => this.#handle(index));
    drawing.addEventListener("pointermove", (event) => this.#drag(event));
    for (const kind of ["pointerup", "pointercancel"]) drawing.addEventListener(kind, () => this.#drop());
  }

  // How many of the picture's pixels one of the screen's is.
  get scale() {
    return 1 / (this.#drawing.getScreenCTM()?.a ?? 1);
  }

  // Each as large as a finger needs it.
  draw(name) {
    const { scale } = this;
    this.handles.forEach((handle, index) => {
      handle.toggleAttribute("hidden", !this.at.length);
      const [x, y] = this.at[index] ?? [0, 0];
      handle.setAttribute("transform", `translate(${x} ${y})`);
      handle.setAttribute("aria-label", `${name(index + 1)} (${Math.round(x)}, ${Math.round(y)})`);
      handle.children[0].setAttribute("r", 24 * scale);
      handle.children[1].setAttribute("r", 13 * scale);
      handle.children[2].setAttribute("d", `M${-5 * scale} 0H${5 * scale}M0 ${-5 * scale}V${5 * scale}`);
    });
  }

  place() {
    if (this.#isSending) this.#isWaiting = true;
    else this.placed = this.#placeAll();
  }

  async #placeAll() {
    this.#isSending = true;
    do {
      this.#isWaiting = false;
      const show = await this.#send(this.at);
      if (!this.#isWaiting) show();
    } while (this.#isWaiting);
    this.#isSending = false;
  }

  #handle(index) {
    const handle = draw("g", { class: "corner", tabindex: 0, role: "button" },
      draw("circle", { class: "reach" }), draw("circle", { class: "dot" }), draw("path", { class: "cross" }));
    handle.addEventListener("pointerdown", (event) => {
      if (this.isFixed) return;
      this.dragged = index;
      this.#drawing.setPointerCapture(event.pointerId);
      handle.focus();
      event.preventDefault();
      this.#moved();
    });
    handle.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || this.isFixed) return;
      event.preventDefault();
      const far = event.shiftKey ? FAR : 1;
      const [x, y] = this.at[index];
      this.#move(index, [x + far * step[0], y + far * step[1]]);
      this.place();
    });
    return handle;
  }

  #move(index, place) {
    this.at = this.at.map((corner, each) => (each === index ? place : corner));
    this.#moved();
  }

  #drag(event) {
    if (this.dragged === null) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#drawing.getScreenCTM().inverse());
    this.#move(this.dragged, [x, y]);
    this.place();
  }

  #drop() {
    if (this.dragged === null) return;
    this.dragged = null;
    this.#moved();
    this.place();
  }
}
