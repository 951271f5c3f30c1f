// What was typed survives a reload, Back, and other pages. It stays in this browser tab and ends
// with it; a switch turns that off.
import { form, onAnswer, restore, state } from "../decoding.js";
import { replace, text } from "./editor.js";

const KEY = "text";
const OFF = "remember-off";
const PAUSE = 300;
const MOST = 1024 * 1024;
const box = document.getElementById("remember");
let timer = 0;

const forget = () => sessionStorage.removeItem(KEY);

const keep = () => {
  clearTimeout(timer);
  if (!box.checked || text.value.length > MOST) return forget();
  const { protocol, message } = state();
  const kept = { text: text.value, protocol, message, address: location.search };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    forget();
  }
};

const kept = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
};

// An address with an example or a text of its own shows that, unless it was edited here.
const recall = () => {
  const was = kept();
  if (!was || location.hash || !("fresh" in form.dataset)) return;
  if (location.search && location.search !== was.address) return;
  if (was.text !== text.value) replace(0, text.value.length, was.text);
  restore({ protocol: was.protocol, message: was.message, to: "" });
};

box.checked = localStorage.getItem(OFF) === null;
box.addEventListener("change", () => {
  if (box.checked) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "");
  keep();
});
let edited = false;
const keepSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(keep, PAUSE);
};
text.addEventListener("edited", () => {
  edited = true;
  keepSoon();
});
onAnswer(() => {
  if (edited) keepSoon();
});
addEventListener("pagehide", () => {
  if (edited) keep();
});
if (box.checked) recall();
