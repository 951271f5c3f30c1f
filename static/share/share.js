// The dialog that creates a link. It stores nothing.
import { form, state } from "../workbench/decoding.js";
import { text } from "../workbench/editor/editor.js";
import { element } from "./element.js";
import { LIMIT, write } from "./link.js";

const PREVIEW = 4000;
const sheet = document.getElementById("share");
const part = (name) => sheet.querySelector(`.share-${name}`);
const tokenizer = document.getElementById("tokenizer");
let turn = 0;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const visible = (words) =>
  words.replace(HIDDEN, (one) =>
    one === "\n" ? one : `⟨U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

const quoted = (value) => `“${visible(value.slice(0, 60))}”`;

const show = (name, on) => {
  part(name).hidden = !on;
};

const makeLink = async (shared) => {
  const { protocol, message, to } = state();
  const said = { text: shared };
  if (protocol) said.protocol = protocol;
  if (tokenizer.selectedIndex > 0) said.tokenizer = tokenizer.value;
  if (message > 1) said.message = message;
  if (to) said.to = to;
  const mine = turn;
  const fragment = await write(said);
  if (mine !== turn) return;
  const length = fragment?.length ?? LIMIT * 2;
  const fits = length <= LIMIT;
  const size = fragment ? `${(length / 1024).toFixed(1)} KiB` : "More than 2 MiB unpacked";
  sheet.querySelector("meter").value = length;
  part("size").textContent = fits
    ? `${size} of 8 KiB`
    : `${size}: larger than the limit of 8 KiB. Share fewer messages, or save them to a log and ` +
      "share the URL of the packet.";
  part("size").classList.toggle("tally", !fits);
  part("size").classList.toggle("error", !fits);
  const page = location.origin + location.pathname;
  document.getElementById("share-link").textContent = fits ? page + fragment : "";
  part("copy").textContent = "Copy link";
  const more = shared.length > PREVIEW ? " …" : "";
  part("preview").textContent = visible(shared.slice(0, PREVIEW)) + more;
  show("made", true);
  show("ready", fits);
};

const drawField = (one) => {
  const row = document.createElement("li");
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.name = "redact";
  box.value = one.key;
  box.checked = one.ticked;
  label.append(box);
  if (one.name) label.append(element("code", one.name));
  label.append(element("span", one.label, "label"));
  if (one.protocol) label.append(element("span", one.protocol, "chip"));
  label.append(element("span", `${one.count} ×`, "hint"));
  if (one.what) label.append(element("span", `▲ contains ${one.what}`, "tally warning"));
  row.append(label);
  return row;
};

const refuse = (words) => {
  part("fields").replaceChildren();
  part("state").textContent = words;
  show("anyway", true);
};

// Ask the server to decode the text, as it does at every keystroke, and to redact the fields.
const ask = async (keys) => {
  const mine = ++turn;
  // The last link may contain what is being redacted.
  document.getElementById("share-link").textContent = "";
  show("made", false);
  show("anyway", false);
  part("state").textContent = "Reading the fields…";
  const sent = new URLSearchParams({ text: text.value, protocol: state().protocol });
  if (keys) sent.set("redact", JSON.stringify(keys));
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  let found;
  try {
    const answer = await fetch(sheet.dataset.redacted, { method: "POST", body: sent, headers });
    if (!answer.ok) throw new Error(String(answer.status));
    found = await answer.json();
  } catch {
    found = { refused: "Can’t reach the server, so no fields can be redacted." };
  }
  if (mine !== turn || !sheet.open) return;
  if (found.refused) return refuse(found.refused);
  const ticked = found.fields.filter((one) => one.ticked);
  if (!keys) part("fields").replaceChildren(...found.fields.map(drawField));
  const sensitive = ticked.some((one) => one.what) && !keys;
  const warned = sensitive ? " Sensitive fields are selected." : "";
  const fields = ticked.length === 1 ? "1 field" : `${ticked.length} fields`;
  part("state").textContent = ticked.length ? `${fields} redacted.${warned}` : "Nothing redacted.";
  part("left").textContent = found.left.length
    ? `Also appears elsewhere in the text: ${found.left.map(quoted).join(", ")}.`
    : "";
  await makeLink(ticked.length ? found.text : text.value);
};

const ticked = () => [...part("fields").querySelectorAll("input:checked")].map((box) => box.value);

export const open = () => {
  part("fields").replaceChildren();
  part("left").textContent = "";
  sheet.showModal();
  ask(null);
};

part("fields").addEventListener("change", () => ask(ticked()));
part("anyway").addEventListener("click", () => {
  show("anyway", false);
  makeLink(text.value);
});
sheet.addEventListener("click", (event) => {
  if (event.target === sheet || event.target.closest("[data-close]")) sheet.close();
});
