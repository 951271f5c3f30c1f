// What every page needs: the theme button, and menus that close.
document.getElementById("theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// Copy a text that stands on the page; where a browser keeps its clipboard to itself, select it instead.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(source);
    button.textContent = "Selected";
  }
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
  }
  if (event.key === "/" && !typing) {
    const search = document.querySelector("input[type=search]");
    if (search) {
      event.preventDefault();
      search.focus();
    }
  }
});

// Light one field everywhere it is drawn: wire, table, sentence, diagnostics, tokens. A click pins it, Escape lets go.
(() => {
  let pinned = null;
  const scope = (element) => element.closest("#reading, .entry") ?? document;
  const light = (names, within) => {
    for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const name of names) {
      for (const one of within.querySelectorAll("[data-f]")) {
        if (one.dataset.f.split(" ").includes(name)) one.classList.add("lit");
      }
    }
  };
  const named = (target) => (target instanceof Element ? target.closest(".shown [data-f], .entry [data-f], .diagnostic[data-f]") : null);
  const over = (event) => {
    if (pinned) return;
    const source = named(event.target);
    light(source ? source.dataset.f.split(" ").filter(Boolean) : [], source ? scope(source).querySelector(".shown") ?? scope(source) : document);
  };
  document.addEventListener("mouseover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("click", (event) => {
    if (event.target.closest("button, a, summary")) return;
    const source = named(event.target);
    pinned = null;
    over(event);
    if (source) pinned = source.dataset.f;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    pinned = null;
    light([], document);
  });
  document.addEventListener("htmx:afterSwap", () => {
    pinned = null;
  });
})();
