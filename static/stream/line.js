// One line of a live view: a message, or a gap where messages are missing.
import { format } from "../audit/times.js";

// Where the lines are that a live view of a kind no longer has.
export const OLDER = {
  log: "Older packets are in the trail.",
  pad: "Older messages are no longer shown.",
};
export const numbers = new Intl.NumberFormat("en");
export const element = (kind, name, text = "") => {
  const made = document.createElement(kind);
  made.className = name;
  made.textContent = text;
  return made;
};
const MARKS = { error: "✖", warning: "▲" };
const TITLES = JSON.parse(document.getElementById("live").dataset.titles);
const DAY = 24 * 60 * 60 * 1000;
// Times of today to the millisecond; older ones as date and minute. All are in the reader's zone.
const clock = (at) => {
  const moment = new Date(at);
  const said = format(moment);
  const thousandths = String(moment.getMilliseconds()).padStart(3, "0");
  return Date.now() - at < DAY / 2 ? `${said.slice(11)}.${thousandths}` : said.slice(5, 16);
};

const signs = (marks) => {
  const place = element("span", "marks");
  for (const [name, sign, title] of marks) {
    const made = element("span", `sign ${name}`, sign);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", title);
    made.title = title;
    place.append(made);
  }
  return place;
};

// How many letters two sentences begin with in common, whole words only, if they are worth hiding.
const LEAST = 16;
const shared = (one, other = "") => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at === one.length) return 0;
  const words = one.lastIndexOf(" ", at - 1) + 1;
  return words < LEAST ? 0 : words;
};

// Draws a line into a row, unless the row has it. A sentence that begins as the one above is shown
// from where it differs; screen readers read all of it.
export const fill = (row, line, show, above) => {
  if (row.line === line && row.show === show && row.found === line.found) return;
  row.line = line;
  row.show = show;
  row.found = line.found;
  const it = row.element;
  const body = [];
  it.className = `line ${line.gap === undefined ? line.s : "gap"}`;
  it.id = `line-${line.n}`;
  if (line.gap !== undefined) {
    it.setAttribute("aria-disabled", "true");
    body.push(element("span", "why", line.why));
  } else {
    it.removeAttribute("aria-disabled");
    const mark = element("span", "mark", MARKS[line.s] ?? "●");
    mark.setAttribute("aria-hidden", "true");
    const said = element("span", "said-line");
    if (show === "english") {
      const same = shared(line.e, above?.e);
      if (same) said.append(element("span", "visually-hidden", line.e.slice(0, same)));
      said.append(element("span", same ? "differs" : "", line.e.slice(same)));
      said.title = line.e;
    } else {
      const wire = element("code", "wire");
      wire.append(...line.w.map(([kind, text]) => element("span", kind, text)));
      said.append(wire);
    }
    const severity = element("span", "visually-hidden", line.s);
    const time = element("time", "", clock(line.t));
    time.title = new Date(line.t).toISOString();
    body.push(mark, time, element("span", "chip protocol", TITLES[line.p] ?? line.p), severity);
    body.push(signs(line.m ?? []), said);
    body.push(element("span", "count", String(line.k)));
  }
  it.dataset.n = line.n;
  it.replaceChildren(...body);
};

export const gap = (n, missing, words) => {
  return { n, gap: missing, why: `${numbers.format(missing)} ${words}` };
};
