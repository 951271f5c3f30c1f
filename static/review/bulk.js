// The preview of a bulk decision: Enter in the note stores it, and Escape goes back.
const note = document.getElementById("note");

note.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  note.form.requestSubmit();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog:modal")) return;
  document.getElementById("cancel").click();
});
