// The packet that is shown. The packets after it are fetched before they are asked for, so that a
// key shows the next one at once.
import { show as showTimes } from "../audit/times.js";
import { forget } from "../display/highlight.js";
import { fill, keepDraft } from "./drafts.js";

const desk = document.getElementById("desk");
const ready = new Map(); // leaf: the packet as it came from the server
const coming = new Map(); // leaf or page of the list: its request
const lists = new Map(); // page: the list as it came from the server
const held = new Map(); // leaf: a step that is being stored
const versions = new Map(); // leaf: how often a step has changed it
let turn = 0;

export const shown = () => document.getElementById("packet");
export const list = () => document.getElementById("queue");
const body = () => shown().querySelector(".desk-body");
const rowOf = (leaf) => list().querySelector(`[data-leaf="${leaf}"]`);
const leaves = (text) => text.split(" ").filter(Boolean);

export const tell = (words) => {
  document.getElementById("said").textContent = words;
};

const load = async (address, id, fields) => {
  const query = new URLSearchParams(location.search);
  query.delete("selected");
  for (const [name, value] of Object.entries(fields)) query.set(name, value);
  const answer = await fetch(`${address}?${query}`, { headers: { "HX-Request": "true" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById(id);
  if (!answer.ok || answer.redirected || !found) throw new Error(String(answer.status));
  showTimes(found);
  return found;
};

const once = (key, make) => {
  if (!coming.has(key)) coming.set(key, make().finally(() => coming.delete(key)));
  return coming.get(key);
};

const fetchPacket = (leaf) =>
  once(leaf, async () => {
    await held.get(leaf);
    let found = null;
    let version = null;
    do {
      version = versions.get(leaf);
      found = await load(desk.dataset.packet, "packet", { leaf });
    } while (version !== versions.get(leaf));
    ready.set(leaf, found);
    if (found.dataset.page !== list().dataset.page) await fetchList(found.dataset.page);
  });

const fetchList = (page) =>
  once(`page ${page}`, async () => {
    if (!lists.has(page)) lists.set(page, await load(desk.dataset.rows, "queue", { page }));
  });

// After a step, what was fetched before is out of date.
export const drop = (leaf) => {
  ready.delete(leaf);
  lists.clear();
  versions.set(leaf, (versions.get(leaf) ?? 0) + 1);
};

// Fetch a packet again only once a step is stored.
export const hold = (leaf, step) => {
  drop(leaf);
  const stored = step.finally(() => {
    if (held.get(leaf) === stored) held.delete(leaf);
  });
  held.set(leaf, stored);
};

// A packet that came with the answer to a step.
export const take = (packet) => ready.set(packet.dataset.leaf, packet);

const prefetch = async () => {
  const { ahead, next, previous, leaf } = shown().dataset;
  for (const each of new Set([...leaves(ahead), next, previous])) {
    if (shown().dataset.leaf !== leaf) return;
    if (each && !ready.has(each)) await fetchPacket(each).catch(() => {});
  }
};

const mark = (leaf) => {
  list().querySelector("a[aria-current]")?.removeAttribute("aria-current");
  list().elements.leaf.value = leaf;
  const row = rowOf(leaf);
  row?.querySelector("a.row").setAttribute("aria-current", "true");
  row?.scrollIntoView({ block: "nearest" });
};

const showList = async (page, leaf, focus) => {
  await fetchList(page);
  if (shown().dataset.leaf !== leaf) return;
  list().replaceWith(document.importNode(lists.get(page), true));
  document.dispatchEvent(new CustomEvent("rows"));
  mark(leaf);
  if (focus) rowOf(leaf)?.querySelector("a.row").focus({ preventScroll: true });
};

const swap = (found) => {
  const old = shown();
  const inList = list().contains(document.activeElement);
  const note = old.querySelector("#note")?.value;
  if (note) keepDraft(old.dataset.leaf, note);
  const made = document.importNode(found, true);
  const { leaf, page, title, url } = made.dataset;
  old.replaceWith(made);
  fill(made);
  document.title = `${title} · Cablese`;
  const query = new URLSearchParams(location.search);
  query.set("leaf", leaf);
  history.replaceState(null, "", `?${query}`);
  if (page === list().dataset.page) {
    mark(leaf);
    if (inList) rowOf(leaf)?.querySelector("a.row").focus({ preventScroll: true });
  } else showList(page, leaf, inList).catch(() => {});
  if (!inList) body().focus({ preventScroll: true });
  forget();
  prefetch();
};

export const show = async (leaf) => {
  if (!leaf) return;
  turn += 1;
  const mine = turn;
  if (!ready.has(leaf)) {
    shown().setAttribute("aria-busy", "true");
    try {
      await fetchPacket(leaf);
    } catch {
      tell("This packet can’t be loaded. Reload the page.");
    }
    if (mine !== turn) return;
    shown().removeAttribute("aria-busy");
  }
  if (ready.has(leaf)) swap(ready.get(leaf));
};

export const go = (by) => {
  const to = shown().dataset[by < 0 ? "previous" : "next"];
  if (to) show(to);
  else tell(by < 0 ? "This is the first packet." : "This is the last packet.");
};

export const focusPacket = () => body().focus({ preventScroll: true });

// A link to a packet of this queue shows it here.
desk.addEventListener("click", (event) => {
  const link = event.target.closest("a.row, a[data-go=previous], a[data-go=next]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(new URL(link.href).searchParams.get("leaf"));
});

mark(shown().dataset.leaf);
fill(shown());
focusPacket();
prefetch();
