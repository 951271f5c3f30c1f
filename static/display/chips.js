// The tokens of a message: pointing at one, or walking through them with the arrows, tells its ids and its number.

const say = (chip) => {
  const line = chip.closest(".tokens")?.querySelector(".readout");
  if (!line) return;
  const ids = chip.dataset.ids.split(" ");
  const first = Number(chip.dataset.first);
  const number = ids.length > 1 ? `tokens ${first}–${first + ids.length - 1}` : `token ${first}`;
  const parts = ids.map((id, at) => (ids.length > 1 ? `${at + 1}/${ids.length} id ${id}` : `id ${id}`));
  line.textContent = `${number} · ${parts.join(", ")}${ids.length > 1 ? " · only together a whole character" : ""}`;
};

for (const kind of ["mouseover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const chip = event.target instanceof Element ? event.target.closest(".token[data-ids]") : null;
    if (chip) say(chip);
  });
}
