// After saving, Back leads to the workbench or the live session: only a form can show this page.
const form = document.querySelector("form.save");
form.addEventListener("submit", ({ submitter }) => {
  if (submitter?.name !== "back") history.replaceState(null, "", form.dataset.back);
});
