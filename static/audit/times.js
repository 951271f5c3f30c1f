// Times in the reader's time zone, which is named beside each, or at the head of a list. The title
// has the same time in UTC.

const two = (number) => String(number).padStart(2, "0");

export const format = (at) => {
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
};

// Such as UTC, EST, or GMT+5:30.
const namer = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" });
const zoneAt = (at) => namer.formatToParts(at).find(({ type }) => type === "timeZoneName").value;

const LIST = "table.packets:has(th .zone)";
export const show = (place) => {
  const zones = new Set();
  for (const time of place.querySelectorAll("time[data-at]")) {
    const at = new Date(time.dateTime);
    const year = at.getFullYear();
    // A browser does not read every time that a sender may state, and that stays in UTC.
    const isRead = year > 1000 && year < 9999;
    const zone = isRead ? zoneAt(at) : "UTC";
    const words = isRead ? format(at) : time.textContent.replace(/ UTC$/, "");
    time.textContent = isRead && "short" in time.dataset ? words.slice(5, 16) : words;
    if (isRead && time.closest(LIST)) {
      zones.add(zone);
      time.dataset.zone = zone; // the head is not on a narrow screen
    } else time.textContent += ` ${zone}`;
    time.removeAttribute("data-at");
  }
  const [zone] = zones;
  for (const head of place.querySelectorAll("table.packets th .zone"))
    if (zone) head.textContent = zones.size > 1 ? "(your time)" : `(${zone})`;
};

show(document);
document.addEventListener("htmx:afterSwap", (event) => show(event.target));
