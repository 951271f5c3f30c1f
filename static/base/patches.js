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

// A long response comes in two pieces (`playground/http/fragments/pieces.py`). The first has what
// the reader waits for. It is inserted when it arrives, and the rest right after its frame. Both go
// in at once if any patch of the page has the focus, if the first marks a problem (only the
// whole response tells whether it waits), or if nothing is painted, because the tab is hidden.
const REST = "<!--rest-->";
const END = "<!--end-->";
const FRAME = 100;
let painting = false;
let frame = 0;
let timer = 0;
let arrived = null;
let isQueued = false;
let target = null;

const painted = () => {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  painting = false;
};

// Insert the rest of a response that arrived before the frame of its first piece.
export const finish = () => {
  const load = arrived;
  arrived = null;
  if (load) load();
};

const canBeFirst = (patches) =>
  patches.length > 0 &&
  document.visibilityState === "visible" &&
  !patches.some((one) => one.querySelector("[data-n]")) &&
  !document.activeElement?.closest("[data-stamp]");

const putFirst = (patches, element) => {
  patches.forEach(put);
  htmx.trigger(element, "patching");
  painting = true;
  const end = () => {
    painted();
    finish();
  };
  frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(end);
  });
  timer = setTimeout(end, FRAME);
  for (const one of patches.filter(listens)) htmx.process(one);
};

const readFirst = ({ xhr, target: element }) => {
  let began = false;
  const read = () => {
    if (xhr.readyState !== XMLHttpRequest.LOADING || xhr.status !== 200) return;
    const end = xhr.responseText.indexOf(REST);
    if (end < 0) return;
    xhr.removeEventListener("readystatechange", read);
    const first = xhr.responseText.slice(0, end);
    const patches = among(new DOMParser().parseFromString(first, "text/html").body.children);
    began = canBeFirst(patches);
    if (began) putFirst(patches, element);
  };
  xhr.addEventListener("readystatechange", read);
  isQueued = false;
  // Parsing the rest takes as long as painting the first piece, which would come that much later.
  const { onload } = xhr;
  const load = () => {
    if (began) painted();
    onload.call(xhr);
  };
  xhr.onload = () => {
    if (began && painting && !isQueued) arrived = load;
    else load();
  };
};

// A response without its end failed after its status was sent.
const isTruncated = ({ responseText }) =>
  responseText.includes(REST) && !responseText.endsWith(END);

const isForPatches = ({ target: asking }) => asking.matches("[hx-swap^=patches]");

htmx.defineExtension("patches", {
  handleSwap: (style, element, fragment, settling) => {
    if (style !== "patches") return false;
    // What came in the first piece is here.
    const patches = among(fragment.children).filter((one) => !isHere(one));
    target = element.id;
    patches.forEach(put);
    // The target itself may be one of them; its successor gets the events that follow.
    settling.elts = [document.getElementById(element.id)];
    return patches.filter(listens);
  },
  onEvent: (name, event) => {
    // htmx queues the next request until this response is inserted.
    if (name === "htmx:confirm" && isForPatches(event)) {
      isQueued = true;
      finish();
    }
    if (name === "htmx:beforeSend") readFirst(event.detail);
    if (name === "htmx:beforeSwap" && isTruncated(event.detail.xhr)) {
      event.detail.shouldSwap = false;
      event.detail.isError = true;
    }
    if (name === "htmx:afterSwap" && event.target.id === target) {
      target = null;
      htmx.trigger(document.getElementById(event.target.id), "patched");
    }
  },
});
