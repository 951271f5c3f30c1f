// The layer that paints, and the chunks that its lines are in. For each frame, Chromium visits all
// siblings of what has changed, and every positioned element of the page. So a chunk has few lines,
// and only those near the view have numbers, which are positioned.
export const layer = document.getElementById("backdrop");

export const SIZE = 32;
const NEAR = "chunk near";
let come = () => {};

// What to do with the chunks that have come near the view.
export const onNear = (call) => {
  come = call;
};

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      target.classList.toggle("near", isIntersecting);
    const near = entries.filter(({ isIntersecting }) => isIntersecting);
    if (near.length) come(near.map(({ target }) => target));
  },
  { root: layer.parentElement, rootMargin: "100% 0px" },
);

const make = (name, lines) => {
  const chunk = document.createElement("div");
  chunk.className = name;
  chunk.append(...lines);
  observer.observe(chunk);
  return chunk;
};

const cut = (lines, name, size = SIZE) => {
  const chunks = [];
  for (let at = 0; at < lines.length; at += size)
    chunks.push(make(name, lines.slice(at, at + size)));
  return chunks;
};

const drop = (chunk) => {
  observer.unobserve(chunk);
  chunk.remove();
};

// Insert lines before another one, or at the end.
export const insertBefore = (lines, next) => {
  const chunk = next?.parentNode ?? layer.lastElementChild;
  if (!chunk) return layer.append(...cut(lines, NEAR));
  const all = [...chunk.children];
  if (all.length + lines.length <= 2 * SIZE) {
    for (const line of lines) chunk.insertBefore(line, next);
    return;
  }
  all.splice(next ? all.indexOf(next) : all.length, 0, ...lines);
  chunk.after(...cut(all, chunk.className));
  drop(chunk);
};

export const remove = (line) => {
  const chunk = line.parentNode;
  line.remove();
  if (!chunk.firstChild) drop(chunk);
};

// Put lines in the place of an element, in chunks with this name and at most this many in each.
const replace = (element, lines, name, size) => {
  const chunk = element.parentNode;
  const all = [...chunk.children];
  const at = all.indexOf(element);
  chunk.after(
    ...cut(all.slice(0, at), chunk.className),
    ...cut(lines, name, size),
    ...cut(all.slice(at + 1), chunk.className),
  );
  drop(chunk);
};

export const replaceByLines = (element, lines) =>
  replace(element, lines, element.parentNode.className);

// Put elements that several lines share in the place of one for more lines, a chunk for each.
export const replaceByShared = (element, made) => replace(element, made, "chunk", 1);
