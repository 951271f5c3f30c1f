// The packets that are selected, by their positions in the queue. They are a part of the address.
import { list, shown, tell } from "./packets.js";

const chosen = new Set();

const read = (text) => {
  for (const part of text.split(",").filter(Boolean)) {
    const [first, last] = part.split("-").map(Number);
    for (let at = first; at <= (last ?? first); at += 1) chosen.add(at);
  }
};

const write = (numbers) => {
  const parts = [];
  for (const at of [...numbers].sort((one, other) => one - other)) {
    const part = parts.at(-1);
    if (part && part[1] === at - 1) part[1] = at;
    else parts.push([at, at]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
};

const boxes = () => [...list().querySelectorAll("input[name=row]")];

const draw = () => {
  const here = new Set();
  for (const box of boxes()) {
    const at = Number(box.value);
    here.add(at);
    box.checked = chosen.has(at);
  }
  list().elements.selected.value = write([...chosen].filter((at) => !here.has(at)));
  list().classList.toggle("has-selection", chosen.size > 0);
  const words = chosen.size ? `${chosen.size.toLocaleString("en")} selected` : "";
  list().querySelector("#selected-number").textContent = words;
  const query = new URLSearchParams(location.search);
  if (chosen.size) query.set("selected", write(chosen));
  else query.delete("selected");
  history.replaceState(null, "", `?${query}`);
};

const flip = (at) => {
  if (!chosen.delete(at)) chosen.add(at);
  draw();
};

export const any = () => chosen.size > 0;

export const toggle = () => {
  const row = list().querySelector(`[data-leaf="${shown().dataset.leaf}"]`);
  if (!row) return;
  flip(Number(row.dataset.position));
  tell(chosen.has(Number(row.dataset.position)) ? "Selected." : "Not selected.");
};

export const clear = () => {
  chosen.clear();
  draw();
  tell("Nothing selected.");
};

export const toggleAll = () => {
  const total = Number(list().dataset.total);
  if (chosen.size === total) {
    clear();
    return;
  }
  for (let at = 1; at <= total; at += 1) chosen.add(at);
  draw();
  tell(`${total.toLocaleString("en")} selected.`);
};

// Preview one decision for all selected packets.
export const preview = (state) => {
  list().requestSubmit(list().querySelector(`button[value=${state}]`));
};

document.addEventListener("change", (event) => {
  if (event.target.name === "row") flip(Number(event.target.value));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("#select-all, #select-none");
  if (!link) return;
  event.preventDefault();
  if (link.id === "select-all") toggleAll();
  else clear();
});
document.addEventListener("rows", draw);

read(new URLSearchParams(location.search).get("selected") ?? "");
draw();
