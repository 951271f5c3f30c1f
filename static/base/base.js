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

// Copy a text that may hold what a page cannot show: it stands beside the button as JSON.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy-exact]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(JSON.parse(button.dataset.copyExact));
    button.textContent = "Copied";
  } catch {
    button.textContent = "This browser does not let us copy";
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
  }
});
