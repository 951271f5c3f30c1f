// Facets and the histogram of a search. They arrive after the list; a range of the histogram is
// chosen with the mouse, a finger, or keys. The server says what each bar is in a query.
import { load } from "../base/away.js";

const counts = document.getElementById("counts");
const wide = matchMedia("(min-width: 1100px)");
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

// Pixels from which a press is a drag.
const DRAG = 4;

const plural = (number) => `${number.toLocaleString("en")} packet${number === 1 ? "" : "s"}`;

class Brush {
  constructor(element) {
    this.element = element;
    this.bars = [...element.querySelectorAll(".bar")];
    this.slots = Number(element.dataset.slots);
    this.slider = element.querySelector(".slider");
    this.mark = element.querySelector(".chosen");
    this.readout = element.parentElement.querySelector(".axis .histogram-readout");
    this.usual = this.slider.getAttribute("aria-valuetext");
    // Where a selection begins, and where it is moved.
    this.from = this.to = null;
    this.dragging = false;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.lift(event));
    element.addEventListener("pointercancel", () => this.letGo());
    element.addEventListener("pointerleave", () => {
      if (this.from === null) this.tell(this.usual);
    });
    element.addEventListener("dragstart", (event) => event.preventDefault());
    element.addEventListener("click", (event) => this.click(event));
    this.slider.addEventListener("keydown", (event) => this.key(event));
    this.slider.addEventListener("blur", () => this.letGo());
  }

  at(event) {
    const { left, width } = this.element.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * this.slots);
    return Math.max(0, Math.min(place, this.bars.length - 1));
  }

  press(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.pressed = this.at(event);
    this.pressedX = event.clientX;
    this.dragging = false;
  }

  move(event) {
    const at = this.at(event);
    if (this.pressed === undefined) {
      if (this.from === null) this.tell(this.describe(at, at));
      return;
    }
    if (!this.dragging && Math.abs(event.clientX - this.pressedX) < DRAG) return;
    if (!this.dragging) this.element.setPointerCapture(event.pointerId);
    this.dragging = true;
    this.choose(this.pressed, at);
  }

  lift() {
    this.pressed = undefined;
    if (this.dragging) this.apply();
  }

  // The click that ends a drag is not one on a bar.
  click(event) {
    if (!this.dragging) return;
    event.preventDefault();
    this.dragging = false;
  }

  key(event) {
    if (event.key === "Escape" && this.from !== null) {
      event.stopPropagation();
      this.letGo();
    } else if (event.key === "Enter" && this.from !== null) this.apply();
    else {
      const last = this.bars.length - 1;
      const to =
        event.key === "Home" ? 0
        : event.key === "End" ? last
        : event.key in STEPS ? this.to === null ? last : this.to + STEPS[event.key]
        : null;
      if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = Math.max(0, Math.min(to, last));
      this.choose(event.shiftKey && this.from !== null ? this.from : place, place);
    }
    event.preventDefault();
  }

  choose(from, to) {
    this.from = from;
    this.to = to;
    const [low, high] = this.range();
    const slots = [low, high].map((at) => this.bars[at].querySelector(".slot"));
    const start = Number(slots[0].getAttribute("x"));
    const end = Number(slots[1].getAttribute("x")) + Number(slots[1].getAttribute("width"));
    this.mark.setAttribute("x", start);
    this.mark.setAttribute("width", end - start);
    const words = this.describe(low, high);
    this.tell(words);
    this.slider.setAttribute("aria-valuenow", to + 1);
    this.slider.setAttribute("aria-valuetext", words);
  }

  range() {
    return [Math.min(this.from, this.to), Math.max(this.from, this.to)];
  }

  describe(low, high) {
    if (low === high) return this.bars[low].querySelector("title").textContent;
    const chosen = this.bars.slice(low, high + 1);
    const sum = (name) => chosen.reduce((total, bar) => total + Number(bar.dataset[name]), 0);
    const times = `${chosen[0].dataset.begins} – ${chosen.at(-1).dataset.ends} UTC`;
    return `${times}: ${plural(sum("count"))}, ${sum("invalid").toLocaleString("en")} invalid`;
  }

  tell(words) {
    this.readout.textContent = words;
  }

  letGo() {
    this.from = this.to = null;
    this.pressed = undefined;
    this.dragging = false;
    this.mark.setAttribute("width", 0);
    this.slider.setAttribute("aria-valuetext", this.usual);
    this.tell(this.usual);
  }

  apply() {
    const { base, address } = this.element.dataset;
    if (base === undefined) return;
    const [low, high] = this.range();
    const times = `ts:${this.bars[low].dataset.low}..${this.bars[high].dataset.high}`;
    const there = new URL(address, location.href);
    there.searchParams.set("q", base + times);
    location.assign(there);
  }
}

const start = () => {
  const facets = counts.querySelector(".facets");
  if (facets && !wide.matches) facets.open = false;
  const brush = counts.querySelector(".brush");
  if (brush) new Brush(brush);
};

if (counts) {
  wide.addEventListener("change", () => {
    const facets = counts.querySelector(".facets:not(.waiting)");
    if (facets) facets.open = wide.matches;
  });
  if (!counts.hasAttribute("hx-get")) start();

  counts.addEventListener("htmx:afterSwap", start);
  for (const failure of ["htmx:responseError", "htmx:sendError"]) {
    counts.addEventListener(failure, (event) => {
      const place = counts.querySelector(".histogram.waiting");
      if (!place) return;
      event.preventDefault();
      const note = document.createElement("p");
      note.className = "hint";
      note.textContent = "Could not count the packets. Reload the page to try again.";
      place.replaceChildren(note);
    });
  }

  // All values of a facet, in the place of the first.
  counts.addEventListener("click", async (event) => {
    const more = event.target.closest("a.more");
    if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { facet } = more.dataset;
    await load(`/audit/facets${new URL(more.href).search}`, counts);
    document.getElementById(`facet-${facet}`)?.focus();
    const facets = counts.querySelector(".facets");
    if (facets) facets.open = true;
  });
}
