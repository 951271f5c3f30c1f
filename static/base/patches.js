// The browser's half of `playground/http/fragments.py`: the swap style "patches" puts each element
// of a response in the place of the one with its ID.
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

// What the reader waits for is painted first: the patches in an element with `data-urgent`. The
// others follow right after that frame. All come at once if one of them has the focus, if an urgent
// one marks a problem (only the whole answer tells whether it waits), or if nothing is painted,
// because the tab is hidden.
const FRAME = 100;
let rest = [];
let target = null;
let frame = 0;
let timer = 0;

// Insert the patches that wait, and report that the response is complete.
export const finish = () => {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  const patches = rest;
  rest = [];
  patches.forEach(put);
  for (const one of patches.filter(listens)) htmx.process(one);
  const of = target;
  target = null;
  if (of) htmx.trigger(document.getElementById(of), "patched");
};

const listens = (one) => one.matches(LISTENS) || one.querySelector(LISTENS);

const isUrgent = ({ id }) => document.getElementById(id).closest("[data-urgent]");

const canWait = (urgent, others) =>
  urgent.length > 0 &&
  document.visibilityState === "visible" &&
  !urgent.some((one) => one.querySelector("[data-n]")) &&
  ![...urgent, ...others].some(({ id }) =>
    document.getElementById(id).contains(document.activeElement),
  );

const finishSoon = () => {
  frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(finish);
  });
  timer = setTimeout(finish, FRAME);
};

htmx.defineExtension("patches", {
  handleSwap: (style, element, fragment, settling) => {
    if (style !== "patches") return false;
    finish();
    // A row of a table comes in a template.
    const patches = [...fragment.children]
      .flatMap((one) => (one.content ? [...one.content.children] : [one]))
      .filter(({ id }) => document.getElementById(id));
    const urgent = patches.filter(isUrgent);
    const others = patches.filter((one) => !urgent.includes(one));
    rest = canWait(urgent, others) ? others : [];
    const now = rest.length ? urgent : patches;
    now.forEach(put);
    // The target itself may be one of them; its successor gets the events that follow.
    settling.elts = [document.getElementById(element.id)];
    target = element.id;
    if (rest.length) {
      htmx.trigger(settling.elts[0], "patching");
      finishSoon();
    }
    return now.filter(listens);
  },
  onEvent: (name, event) => {
    if (name === "htmx:afterSwap" && event.target.id === target && !rest.length) finish();
  },
});
