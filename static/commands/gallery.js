// Filter the examples while typing, by the same rule as the server: a card contains every word.
const field = document.querySelector(".gallery-filter input");
const cards = [...document.querySelectorAll(".gallery li")];
const none = document.getElementById("gallery-none");
const count = document.getElementById("gallery-count");

const filter = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const card of cards) {
    const heading = card.closest("section").querySelector("h2");
    const said = `${card.textContent} ${heading.textContent}`.toLowerCase();
    card.hidden = !words.every((word) => said.includes(word));
    left += card.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll(".gallery section")) {
    section.hidden = !section.querySelector("li:not([hidden])");
  }
  none.hidden = left > 0;
  count.textContent = words.length ? `${left} of ${cards.length}` : "";
};

// If the server has filtered the examples, the page does not have all of them, and a new filter has
// to be sent to the server.
const whole = !field.value;
field.addEventListener("input", () => whole && filter());
field.form.addEventListener("submit", (event) => {
  if (!whole) return;
  event.preventDefault();
  document.querySelector(".gallery li:not([hidden]) a")?.focus();
});
