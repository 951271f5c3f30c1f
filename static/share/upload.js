// A file in the input: read in the browser, and sent only as the text to decode. If it is too large
// or not UTF-8, the page says so, with the place, and offers the import, which preserves all bytes.
// UTF-16 is read too, if the file says so.
import { utf16 } from "../base/utf16.js";
import { command } from "../commands/commands.js";
import { form, onAnswer } from "../workbench/decoding.js";
import { replace, text } from "../workbench/editor/editor.js";

const LIMIT = 1024 * 1024;
const picker = document.getElementById("file");
const panel = document.getElementById("panel-input");
const dialog = document.getElementById("import");
const said = document.getElementById("file-said");
const bar = said.querySelector("progress");
const words = said.querySelector(".file-words");
const hand = document.getElementById("file-import");
let held = null;
let turn = 0;
let refused = false;

const tell = (what, { problem = false, offer = false, share = null } = {}) => {
  said.hidden = false;
  said.classList.toggle("error", problem);
  words.textContent = what;
  bar.hidden = share === null;
  bar.value = share ?? 0;
  hand.hidden = !offer;
};

const read = (bytes, encoding, options) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes, options);

// How many bytes from the start are valid: the longest prefix that a strict decoder accepts.
const soundUpTo = (bytes, encoding) => {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      read(bytes.subarray(0, middle), encoding, { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return low;
};

const decoded = (bytes, name) => {
  const encoding = utf16(bytes) ?? "utf-8";
  try {
    return read(bytes, encoding);
  } catch {
    const at = soundUpTo(bytes, encoding);
    const line = read(bytes.subarray(0, at), encoding, { stream: true }).split("\n").length;
    const place = `at offset ${at.toLocaleString("en")}, line ${line.toLocaleString("en")}`;
    const what =
      at < bytes.length
        ? `byte 0x${bytes[at].toString(16).padStart(2, "0")} ${place}`
        : `it ends inside a character ${place}`;
    const offer = encoding === "utf-8";
    const words = `${name} is not ${offer ? "UTF-8" : "valid UTF-16"}: ${what}.`;
    const next = offer ? " You can import the file." : "";
    tell(`${words} The text is unchanged.${next}`, { problem: true, offer });
    return null;
  }
};

const readAll = async (file, mine) => {
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, at);
    if (mine !== turn) return null;
    bytes.set(value, at);
    at += value.length;
    tell(`Reading ${file.name}…`, { share: file.size ? at / file.size : 1 });
  }
};

const take = async (file) => {
  const mine = ++turn;
  held = file;
  const size = file.size.toLocaleString("en");
  if (file.size > LIMIT) {
    const words = `${file.name} has ${size} bytes. The limit is 1 MiB. You can import it to a log.`;
    tell(words, { offer: true });
    return openImport();
  }
  try {
    const bytes = await readAll(file, mine);
    const content = bytes && decoded(bytes, file.name);
    if (content === null) return;
    if (!content) {
      tell(`${file.name} is empty. The text is unchanged.`, { problem: true });
      return;
    }
    replace(0, text.value.length, content);
    document.querySelector("#panel-input > .lesson")?.remove();
    tell(`${file.name}, ${size} bytes. Undo restores the previous text.`);
  } catch {
    if (mine === turn) tell(`Your browser can’t read ${file.name}.`, { problem: true });
  }
};

const openImport = async () => {
  const body = dialog.querySelector(".import");
  dialog.showModal();
  try {
    const { again } = await import("../audit/importing.js");
    await again(body, held);
  } catch {
    tell("Can’t reach the server to import the file.", { problem: true, offer: true });
    dialog.close();
  }
};

// A pasted or typed text that is too long for the server can be imported like a file.
form.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status !== 413) return;
  refused = true;
  held = new File([text.value], "pasted.txt");
  tell("You can import the text to a log.", { offer: true });
});
onAnswer(() => {
  if (refused) said.hidden = true;
  refused = false;
});

const pick = () => picker.click();

document.getElementById("open-file").addEventListener("click", (event) => {
  event.preventDefault();
  pick();
});
picker.addEventListener("change", () => {
  if (picker.files[0]) take(picker.files[0]);
  picker.value = "";
});
hand.addEventListener("click", openImport);
dialog.addEventListener("click", (event) => {
  if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
});
// Closing the dialog stops the upload. It can be sent again; duplicates are skipped.
dialog.addEventListener("close", () => dialog.querySelector(".import-stop:not([hidden])")?.click());
text.addEventListener("edited", (event) => {
  if (event.detail.typed) said.hidden = true;
});

const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
let over = 0;
const lit = (by) => {
  over = Math.max(0, over + by);
  panel.classList.toggle("dropping", over > 0);
};
document.addEventListener("dragenter", (event) => holdsFile(event) && lit(1));
document.addEventListener("dragleave", (event) => holdsFile(event) && lit(-1));
// A file dropped next to the input would otherwise replace the page.
document.addEventListener("dragover", (event) => {
  if (holdsFile(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  lit(-over);
  const [file, ...more] = event.dataTransfer.files;
  if (more.length) tell("Drop one file at a time.", { problem: true });
  else if (file && panel.contains(event.target)) take(file);
});

command({ words: "Open a file…", group: "Messages", run: pick });
