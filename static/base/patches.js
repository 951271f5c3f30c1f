// The browser's half of `playground/http/fragments/patches.py`: the swap style "patches" puts each
// element of a response in the place of the one with its ID.
//
// htmx's out-of-band swap does the same, but sends events to every element that goes and, for each
// that comes, to all that came before it: 15 ms of script for an answer to a key, and here it is 9.
const LISTENS = "[hx-post], [hx-get]";

const put = (patch) => {
  const old = document.getElementById(patch.id);
  old.before(patch);
  for (const one of patch.querySelectorAll("[hx-preserve]")) {
    const kept = old.querySelector(`#${CSS.escape(one.id)}`);
    if (!kept) continue;
    // A browser without moveBefore takes the focus from what it moves.
    if (one.parentNode.moveBefore) one.parentNode.moveBefore(kept, one);
    else one.before(kept);
    one.remove();
  }
  old.remove();
};

const listens = (one) => one.matches(LISTENS) || one.querySelector(LISTENS);

// A row of a table comes in a template.
const among = (elements) =>
  [...elements]
    .flatMap((one) => (one.content ? [...one.content.children] : [one]))
    .filter(({ id }) => document.getElementById(id));

const isHere = ({ id, dataset }) => document.getElementById(id).dataset.stamp === dataset.stamp;

// What the reader waits for is painted first: the patches in an element with `data-urgent`. The
// others follow right after that frame. All come at once if any patch of the page has the focus, if
// an urgent one marks a problem (only the whole answer tells whether it waits), or if nothing is
// painted, because the tab is hidden.
const FRAME = 100;
let rest = [];
let target = null;
let painting = false;
let frame = 0;
let timer = 0;
let arrived = null;
let isRest = false;
let isQueued = false;

// Insert the patches that wait, and report that the response is complete.
export const finish = () => {
  arrive();
  painted();
  const of = target;
  target = null;
  const patches = rest;
  rest = [];
  patches.forEach(put);
  for (const one of patches.filter(listens)) htmx.process(one);
  if (of) htmx.trigger(document.getElementById(of), "patched");
};

const painted = () => {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  painting = false;
};

const isUrgent = ({ id }) => document.getElementById(id).closest("[data-urgent]");

const canBeFirst = (urgent) =>
  urgent.length > 0 &&
  document.visibilityState === "visible" &&
  !urgent.some((one) => one.querySelector("[data-n]")) &&
  !document.activeElement?.closest("[data-stamp]");

const putFirst = (urgent, element) => {
  urgent.forEach(put);
  htmx.trigger(element, "patching");
  painting = true;
  const end = () => {
    painted();
    arrive();
    if (target) finish();
  };
  frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(end);
  });
  timer = setTimeout(end, FRAME);
};

// The first piece of a response (`playground/http/fragments/pieces.py`) is inserted when it
// arrives. A response without its end failed after its status was sent.
const REST = "<!--rest-->";
const END = "<!--end-->";

const isTruncated = ({ responseText }) =>
  responseText.includes(REST) && !responseText.endsWith(END);

const readFirst = ({ xhr, target: element }) => {
  let began = false;
  const read = () => {
    if (xhr.readyState !== XMLHttpRequest.LOADING || xhr.status !== 200) return;
    const end = xhr.responseText.indexOf(REST);
    if (end < 0) return;
    xhr.removeEventListener("readystatechange", read);
    const first = xhr.responseText.slice(0, end);
    const urgent = among(new DOMParser().parseFromString(first, "text/html").body.children);
    if (!canBeFirst(urgent)) return;
    began = true;
    putFirst(urgent, element);
    for (const one of urgent.filter(listens)) htmx.process(one);
  };
  xhr.addEventListener("readystatechange", read);
  isQueued = false;
  // Parsing the rest takes as long as painting the first piece, which would come that much later.
  const { onload } = xhr;
  const load = () => {
    isRest = began;
    try {
      onload.call(xhr);
    } finally {
      isRest = false;
    }
  };
  xhr.onload = () => {
    if (began && painting && !isQueued) arrived = load;
    else load();
  };
};

// Insert the rest of a response that arrived before the frame of its first piece.
const arrive = () => {
  const load = arrived;
  arrived = null;
  if (!load) return;
  painted();
  load();
};

const isForPatches = ({ target: asking }) => asking.matches("[hx-swap^=patches]");

htmx.defineExtension("patches", {
  handleSwap: (style, element, fragment, settling) => {
    if (style !== "patches") return false;
    // What came in the first piece is here.
    const patches = among(fragment.children).filter((one) => !isHere(one));
    target = element.id;
    let now = patches;
    if (painting) now = [];
    else if (!isRest) {
      const urgent = patches.filter(isUrgent);
      if (urgent.length < patches.length && canBeFirst(urgent)) now = urgent;
    }
    rest = patches.filter((one) => !now.includes(one));
    if (rest.length && now.length) putFirst(now, element);
    else now.forEach(put);
    // The target itself may be one of them; its successor gets the events that follow.
    settling.elts = [document.getElementById(element.id)];
    return now.filter(listens);
  },
  onEvent: (name, event) => {
    // htmx queues the next request until this response is inserted.
    if (name === "htmx:confirm" && isForPatches(event)) {
      isQueued = true;
      arrive();
    }
    if (name === "htmx:beforeSend") readFirst(event.detail);
    if (name === "htmx:beforeSwap" && isTruncated(event.detail.xhr)) {
      event.detail.shouldSwap = false;
      event.detail.isError = true;
    }
    if (name === "htmx:afterSwap" && event.target.id === target && !rest.length) finish();
  },
});
