// The tokens of a message: hovering over one, or moving to it with the arrow keys, shows its IDs.

const say = (chip) => {
  const line = chip.closest(".tokens")?.querySelector(".readout");
  if (!line) return;
  const ids = chip.dataset.ids.split(" ");
  const first = Number(chip.dataset.first);
  const many = ids.length > 1;
  const number = many ? `tokens ${first}–${first + ids.length - 1}` : `token ${first}`;
  const parts = ids.map((id, at) => (many ? `${at + 1}/${ids.length} ID ${id}` : `ID ${id}`));
  const note = many ? " · together one character" : "";
  line.textContent = `${number} · ${parts.join(", ")}${note}`;
};

for (const kind of ["mouseover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const chip = event.target instanceof Element ? event.target.closest(".token[data-ids]") : null;
    if (chip) say(chip);
  });
}
