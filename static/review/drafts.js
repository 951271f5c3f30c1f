// Notes that are not stored, by the leaf of their packet. They survive a reload and end with this
// browser tab or when the person signs out, in any tab. The note of a step stays until the step is
// stored.
const KEY = document.getElementById("desk").dataset.drafts;
const sent = new Map();

const kept = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
};

const drafts = new Map(kept());

const keep = () => {
  const notes = [...sent, ...drafts];
  try {
    if (notes.length) sessionStorage.setItem(KEY, JSON.stringify(notes));
    else sessionStorage.removeItem(KEY);
  } catch {
    sessionStorage.removeItem(KEY);
  }
};

export const keepDraft = (leaf, note) => {
  if (note.trim()) drafts.set(leaf, note);
  else drafts.delete(leaf);
  keep();
};

// The note of a packet goes with a step.
export const sendDraft = (leaf, note) => {
  drafts.delete(leaf);
  if (note) sent.set(leaf, note);
  keep();
};

export const forgetSent = (leaf) => {
  sent.delete(leaf);
  keep();
};

export const fill = (packet) => {
  const draft = drafts.get(packet.dataset.leaf);
  const note = packet.querySelector("#note");
  if (draft && note) note.value = draft;
};

// The person signed out in another tab: this page would store its notes again.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== "forgets" || !newValue || !KEY.startsWith(newValue)) return;
  sent.clear();
  drafts.clear();
  location.reload();
});

document.addEventListener("input", ({ target }) => {
  if (target.id === "note") keepDraft(target.closest("#packet").dataset.leaf, target.value);
});
