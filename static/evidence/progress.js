// A download leaves the page as it is, so the page begins to ask how far the file is.
const form = document.getElementById("evidence");
const START = 300;

form?.addEventListener("submit", () => {
  setTimeout(() => document.getElementById("progress")?.dispatchEvent(new Event("begin")), START);
});
