// Times in the reader's time zone. The title has the same time in UTC.

const two = (number) => String(number).padStart(2, "0");

const format = (at) => {
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
};

const show = (place) => {
  for (const time of place.querySelectorAll("time[data-at]")) {
    const at = new Date(time.dateTime);
    const year = at.getFullYear();
    // A browser does not read every time that a sender may state, and that stays in UTC.
    if (year > 1000 && year < 9999) time.textContent = format(at);
    else time.textContent += " UTC";
    time.removeAttribute("data-at");
  }
};

show(document);
document.addEventListener("htmx:afterSwap", (event) => show(event.target));
