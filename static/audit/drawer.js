// A packet beside the list that it is in. The list stays as it is; the address says which packet is
// open. On narrow screens a packet has a page of its own.
import { load } from "../base/away.js";
import { command } from "../commands/commands.js";
import { walk, walkFrom } from "../commands/list_keys.js";

const drawer = document.getElementById("drawer");
const wide = matchMedia("(min-width: 1000px)");
const FOLLOW = 120;
// What Escape closes before the packet.
const OPEN = "dialog[open], details.menu[open], .searchfield [aria-expanded=true]";

const linkOf = (target) => target instanceof Element && target.closest(".packets a.open");
const current = () => document.querySelector(".packets a.open[aria-current]");
const put = (uid) => {
  const address = new URL(location.href);
  if (uid) address.searchParams.set("packet", uid);
  else address.searchParams.delete("packet");
  history.replaceState(history.state, "", address);
};

const open = async (link) => {
  const { pathname } = new URL(link.href);
  current()?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  put(pathname.split("/").at(-1));
  await load(`${pathname}/drawer${location.search}`, drawer);
};

const close = () => {
  const link = current();
  const inside = drawer.contains(document.activeElement);
  drawer.hidden = true;
  drawer.replaceChildren();
  link?.removeAttribute("aria-current");
  put(null);
  if (inside) link?.focus();
};

if (drawer) {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-drawer]")) {
      event.preventDefault();
      close();
      return;
    }
    const link = linkOf(event.target);
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.button || !wide.matches) return;
    event.preventDefault();
    // Enter on the packet that is open goes into the drawer.
    const again = link === current() && !drawer.hidden && !event.detail;
    if (again) document.getElementById("drawer-title")?.focus();
    else open(link);
  });

  // An open drawer follows the focus through the list.
  let asked = 0;
  document.addEventListener("focusin", (event) => {
    clearTimeout(asked);
    const link = linkOf(event.target);
    if (!link || drawer.hidden || link === current() || !wide.matches) return;
    asked = setTimeout(() => open(link), FOLLOW);
  });

  // Before the menus and dialogs hear of it, which close first.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || drawer.hidden) return;
      if (!document.querySelector(OPEN)) close();
    },
    true,
  );

  drawer.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.shouldSwap) return;
    drawer.hidden = false;
    drawer.scrollTop = 0;
  });
  drawer.addEventListener("htmx:responseError", (event) => {
    event.preventDefault();
    const place = document.createElement("p");
    place.className = "notice warning";
    place.textContent = "Could not open this packet.";
    drawer.replaceChildren(place);
    drawer.hidden = false;
  });

  const group = "Trail";
  command({ words: "Next packet", keys: "J", group, run: () => walk(1) || walkFrom(0) });
  command({ words: "Previous packet", keys: "K", group, run: () => walk(-1) || walkFrom(-1) });
  command({ words: "Open packet", keys: "Enter", elsewhere: true, group, run: () => walkFrom(0) });
  command({ words: "Close packet", keys: "Escape", elsewhere: true, group, run: close });
}
