// Editing values in their row: the pencil, Enter, or F2 begins; Enter or leaving saves; Escape
// cancels. The server writes the value with its escapes. The text is changed as if typed, so undo
// works, and the focus stays on the field.
import { explain } from "../base/refusal.js";
import { command } from "../commands/commands.js";
import { chosenProtocol, decode, form, isCurrent, onAnswer, said } from "./decoding.js";
import { replace, select, text } from "./editor/editor.js";
import { refocus, selectorOf } from "./focus.js";

let open = null;
const drawn = () => said().chosen;

const valueOf = (cell) => (cell.dataset.value ? JSON.parse(cell.dataset.value) : cell.textContent);

const close = () => {
  if (!open) return;
  const { cell, kept } = open;
  open = null;
  cell.replaceChildren(...kept);
};

const begin = (row, value) => {
  const cell = row?.querySelector("td.value");
  if (!cell?.querySelector(".edit")) return;
  close();
  const field = document.createElement("textarea");
  field.className = "area writing";
  field.rows = 1;
  field.setAttribute("aria-label", `New value of ${row.querySelector("th").textContent}`);
  field.value = value ?? valueOf(cell);
  const kept = [...cell.childNodes];
  const { index, f } = row.dataset;
  const was = field.value;
  open = { cell, kept, field, row, index, name: f, message: drawn(), busy: false, was };
  if (value !== undefined) open.was = null;
  cell.replaceChildren(field);
  field.focus();
  field.select();
  field.addEventListener("blur", (event) => commit(event.relatedTarget));
};

const refuse = (words) => {
  const { cell, field } = open;
  cell.querySelector(".refused")?.remove();
  const said = document.createElement("span");
  said.className = "refused";
  said.setAttribute("role", "alert");
  said.textContent = words;
  cell.append(said);
  field.setAttribute("aria-invalid", "true");
  field.focus();
};

const ask = async (message, index, value) => {
  const sent = new URLSearchParams(new FormData(form));
  sent.set("text", text.value);
  sent.set("protocol", chosenProtocol());
  sent.set("message", message);
  sent.set("field", index);
  sent.set("value", value);
  const response = await fetch(form.dataset.edit, { method: "POST", body: sent });
  if (response.ok) return response.json();
  return { refused: explain(response.status, await response.text()) };
};

// `towards` is the element that gets the focus when the field loses it.
const commit = async (towards) => {
  if (!open || open.busy) return;
  const { field, was, index, message } = open;
  const row = `#panel-fields [data-index="${index}"]`;
  if (field.value === was) {
    close();
    if (!towards) document.querySelector(row)?.focus();
    return;
  }
  if (!isCurrent()) {
    // Fields of an earlier text have different numbers. Typing continues in the new row.
    decode();
    return refuse("The text has changed. Try again.");
  }
  open.busy = true;
  const before = text.value;
  const offline = { refused: "Can’t reach the server." };
  const made = await ask(message, index, field.value).catch(() => offline);
  if (!open || open.field !== field) return;
  open.busy = false;
  if (made.refused) return refuse(made.refused);
  if (text.value !== before) return refuse("The text has changed. Try again.");
  close();
  const grown = made.text.length - (made.end - made.start);
  const caret = text.selectionStart + (text.selectionStart > made.end ? grown : 0);
  replace(made.start, made.end, made.text);
  if (towards === text) return select(caret, caret);
  refocus((towards && selectorOf(towards)) ?? row);
};

form.addEventListener("click", (event) => {
  const button = event.target.closest("button.edit");
  if (!button) return;
  event.preventDefault();
  begin(button.closest("tr"));
});

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (open && event.target === open.field) {
    if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) {
      event.preventDefault();
      event.stopPropagation();
      const { index } = open;
      if (event.key === "Enter") return void commit(null);
      close();
      document.querySelector(`#panel-fields [data-index="${index}"]`)?.focus();
    }
    return;
  }
  const row = event.target.closest("#panel-fields tr[data-index]");
  if (row === event.target && event.key === "Enter") {
    event.preventDefault();
    begin(row);
  }
});

// Undo changes the text wherever the focus is, except in another field.
document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
  if (event.target.closest("input, textarea")) return;
  event.preventDefault();
  text.focus({ preventScroll: true });
  document.execCommand(key === "y" || event.shiftKey ? "redo" : "undo");
});

// The row of the same field: the one with its number, or else the first one with its name.
const anew = ({ index, name }) => {
  const all = [...document.querySelectorAll("#panel-fields tr[data-index]")];
  const rows = all.filter((row) => row.dataset.f === name);
  return rows.find((row) => row.dataset.index === index) ?? rows[0];
};

// A response may redraw the row while someone types in it; typing continues in the new row.
let interrupted = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "reading") return;
  interrupted = open;
  open = null;
});
onAnswer(() => {
  const was = interrupted;
  interrupted = null;
  if (was?.field.isConnected) open = was;
  else if (was?.message === drawn()) begin(anew(was), was.field.value);
});

command({
  words: "Edit value of this field",
  keys: "F2",
  run: () => {
    const focused = document.activeElement.closest("#panel-fields tr");
    begin(focused ?? document.querySelector("#panel-fields tr.lit"));
  },
});
