// What every page needs: the theme button, menus that close, and what sign-out forgets.
document.getElementById("theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const preferred = matchMedia("(prefers-color-scheme: dark)").matches;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : preferred;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

// A menu closes at a click or a focus elsewhere, and at Esc, which leads back to its button.
const openMenus = () => document.querySelectorAll("details.menu[open]");
for (const kind of ["click", "focusin"]) {
  document.addEventListener(kind, (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
});

// What tabs store for a person ends when they sign out, but not with a session that expires: they
// can sign in again and go on. A step that is still being sent stores its note until the page is
// left. Local storage is only how the other tabs hear of it.
const forget = (prefix) => {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
};
document.getElementById("signout")?.addEventListener("submit", ({ target }) => {
  addEventListener("pagehide", () => {
    const { forgets } = target.dataset;
    forget(forgets);
    localStorage.setItem("forgets", forgets);
    localStorage.removeItem("forgets");
  });
});
addEventListener("storage", ({ key, newValue }) => {
  if (key === "forgets" && newValue) forget(newValue);
});

// Copy text shown on the page. If the browser denies access to the clipboard, select it instead.
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

// Copy text that a page may not be able to show. The button has it as JSON.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy-exact]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(JSON.parse(button.dataset.copyExact));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Can’t copy in this browser";
  }
});
