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

htmx.defineExtension("patches", {
  handleSwap: (style, target, fragment, settling) => {
    if (style !== "patches") return false;
    // A row of a table comes in a template.
    const patches = [...fragment.children]
      .flatMap((one) => (one.content ? [...one.content.children] : [one]))
      .filter(({ id }) => document.getElementById(id));
    patches.forEach(put);
    // The target itself may be one of them; its successor gets the events that follow.
    settling.elts = [document.getElementById(target.id)];
    return patches.filter((one) => one.matches(LISTENS) || one.querySelector(LISTENS));
  },
});
