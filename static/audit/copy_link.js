// A link to copy. Without a script, or without a clipboard, it is a link to follow.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copy-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
    link.textContent = "Copied";
  } catch {
    location.assign(link.href);
  }
});
