// A live view. Lines arrive as server-sent events, at most ten events per second with many lines
// each, and are painted once per frame. The list has the last 1,000 lines and the page only those
// in view, so neither grows.
import { load } from "../base/away.js";
import { explain } from "../base/refusal.js";
import { walk } from "../commands/list_keys.js";
import { command } from "../commands/commands.js";
import { followFindings } from "./findings.js";
import { OLDER, element, fill, gap, numbers } from "./line.js";
import { drawActs, put } from "./totals.js";

const live = document.getElementById("live");
const viewport = document.getElementById("lines");
const filters = document.getElementById("filters");
const shown = document.getElementById("message");
const CAP = Number(live.dataset.cap);
const BASE = live.dataset.base;
const RATE_OVER = 5_000;
const POLL = 2_000;
const TRY_AGAIN = 30_000;
const by = (id) => document.getElementById(id);

// What is shown. `dropped` counts the lines removed before the first of `lines`, so the position of
// a line from the beginning never changes.
let lines = [];
let dropped = 0;
let last = null;
let hidden = 0;
let chosen = null;
let following = true;
let pending = null; // while paused: the lines that arrived
let waiting = 0;
let overflow = 0;
let totals = { messages: 0, tokens: 0 };
const samples = [];

// The list reuses a few row elements.

const space = document.createElement("div");
space.className = "space";
space.setAttribute("role", "presentation");
viewport.replaceChildren(space);
viewport.setAttribute("role", "listbox");
viewport.setAttribute("aria-labelledby", "live-title");
viewport.tabIndex = 0;
const rows = [];
let height = 32;
let expected = 0;
let queued = false;

const paint = () => {
  queued = false;
  const show = filters.elements.show.value;
  const tall = viewport.clientHeight;
  by("waiting").hidden = lines.length > 0;
  viewport.hidden = lines.length === 0;
  space.style.height = `${lines.length * height}px`;
  if (following) viewport.scrollTop = lines.length * height;
  expected = viewport.scrollTop;
  const wanted = Math.min(lines.length, Math.ceil(tall / height) + 4);
  while (rows.length < wanted) {
    const made = element("div", "line");
    made.setAttribute("role", "option");
    rows.push({ element: made });
    space.append(made);
  }
  const first = Math.max(0, Math.min(Math.floor(expected / height) - 1, lines.length - wanted));
  let active = "";
  for (const row of rows) row.used = false;
  for (let at = first; at < first + wanted; at += 1) {
    const row = rows[(dropped + at) % rows.length];
    row.used = true;
    fill(row, lines[at], show, lines[at - 1]);
    row.element.hidden = false;
    row.element.style.transform = `translateY(${at * height}px)`;
    const is = lines[at].n === chosen && lines[at].gap === undefined;
    row.element.setAttribute("aria-selected", String(is));
    if (is) active = row.element.id;
  }
  for (const row of rows) {
    if (row.used) continue;
    row.element.hidden = true;
    row.element.removeAttribute("id");
    row.line = undefined;
  }
  if (active) viewport.setAttribute("aria-activedescendant", active);
  else viewport.removeAttribute("aria-activedescendant");
  say();
};
const repaint = () => {
  if (queued) return;
  queued = true;
  requestAnimationFrame(paint);
};

const say = () => {
  put("total-messages", totals.messages);
  put("total-tokens", totals.tokens);
  drawActs(lines);
  if (totals.invalid !== undefined) {
    put("total-invalid", totals.invalid);
    put("total-refused", totals.refused);
    put("total-kept", totals.kept);
  }
  by("waiting-first").hidden = hidden > 0;
  by("waiting-filtered").hidden = hidden === 0;
  const older = OLDER[live.dataset.kind];
  const cap = dropped ? `Showing the last ${numbers.format(lines.length)}. ${older}` : "";
  const held = hidden ? ` ${numbers.format(hidden)} hidden by filters.` : "";
  const words = `${cap}${held}`.trim();
  if (by("cap").textContent !== words) by("cap").textContent = words;
  const label = pending ? `Resume${waiting ? ` (${numbers.format(waiting)} new)` : ""}` : "Pause";
  if (by("pause").textContent !== label) by("pause").textContent = label;
  by("follow").setAttribute("aria-pressed", String(following));
  const save = by("save");
  if (save && totals.messages) save.disabled = false;
};
const state = (words, kind) => {
  const place = by("state");
  if (place.textContent !== words) place.textContent = words;
  place.dataset.kind = kind;
};

const measure = () => {
  const probe = element("div", "line");
  space.append(probe);
  height = probe.offsetHeight || height;
  probe.remove();
  repaint();
};

// Lines arrive.

const append = (more) => {
  const was = lines.length;
  for (const line of more) lines.push(line);
  const over = Math.max(0, lines.length - CAP);
  if (over) {
    lines.splice(0, over);
    dropped += over;
    // Keep the same lines in view for a reader who scrolled up.
    if (!following) viewport.scrollTop = Math.max(0, viewport.scrollTop - over * height);
  }
  if (!was && more.length) settle();
};
const settle = () => {
  const posting = by("posting");
  const used = posting && (posting.contains(document.activeElement) || posting.matches(":hover"));
  if (posting && !used) posting.open = false;
};

let lostAt = null;
const receive = (batch) => {
  const more = [];
  if (last === null) dropped += batch.skipped;
  else {
    if (batch.since > last) {
      more.push(gap(batch.since, batch.since - last, "lost in transit."));
    }
    if (batch.skipped) {
      more.push(gap(batch.since, batch.skipped, "arrived too fast to display."));
    }
    if (lostAt !== null && Date.now() - lostAt > 1_500) {
      const seconds = Math.round((Date.now() - lostAt) / 1000);
      const why = `Not connected for ${seconds} s. Messages from that time follow.`;
      more.push({ n: last, gap: 0, why });
    }
  }
  lostAt = null;
  for (const line of batch.lines) more.push(line);
  last = batch.to;
  hidden += batch.hidden;
  totals = batch.totals ?? {
    messages: totals.messages + batch.messages,
    tokens: totals.tokens + batch.tokens,
  };
  samples.push([performance.now(), totals.messages]);
  if (pending) {
    for (const line of more) pending.push(line);
    waiting += batch.lines.length + batch.skipped;
    if (pending.length > CAP) {
      for (const line of pending.splice(0, pending.length - CAP)) overflow += line.gap ?? 1;
    }
  } else append(more);
  repaint();
};

setInterval(() => {
  const now = performance.now();
  while (samples.length > 1 && samples[1][0] < now - RATE_OVER) samples.shift();
  const [from, before] = samples[0] ?? [now, totals.messages];
  const seconds = Math.max(1, Math.min(RATE_OVER, now - from) / 1000);
  put("total-rate", Math.round((totals.messages - before) / seconds));
}, 1_000);

// The connection: events, or polling for batches when the server is at its limit of streams.

let events = null;
let timer = 0;
let planned = false;
const query = (more = {}) => {
  const asked = new URLSearchParams(new FormData(filters));
  for (const [name, value] of [...asked]) if (!value) asked.delete(name);
  for (const [name, value] of Object.entries(more)) asked.set(name, value);
  return asked;
};
const address = (what) => {
  const asked = query(last === null ? {} : { after: last });
  asked.delete("show");
  return `${BASE}/${what}?${asked}`;
};
const stop = () => {
  clearTimeout(timer);
  events?.close();
  events = null;
};
const lost = () => {
  state("Reconnecting…", "lost");
  if (!planned) lostAt ??= Date.now();
};
const connect = () => {
  stop();
  const stream = new EventSource(address("events"));
  events = stream;
  stream.addEventListener("open", () => {
    planned = false;
    state(pending ? "Paused" : "Live", pending ? "paused" : "live");
  });
  stream.addEventListener("message", (event) => receive(JSON.parse(event.data)));
  stream.addEventListener("again", () => {
    planned = true;
  });
  stream.addEventListener("ended", () => end("This live session has ended."));
  stream.addEventListener("error", () => {
    if (events !== stream) return;
    lost();
    if (stream.readyState === EventSource.CLOSED) poll(Date.now() + TRY_AGAIN);
  });
};
const poll = async (until) => {
  stop();
  let answer = null;
  let batch = null;
  const asked = address("lines");
  try {
    answer = await fetch(asked, { headers: { Accept: "application/json" } });
    if (answer.ok) batch = await answer.json();
  } catch {
    if (events === null) lost();
  }
  if (events !== null) return;
  if (batch) {
    if (asked !== address("lines")) return;
    state(pending ? "Paused" : "Polling every 2 s", pending ? "paused" : "live");
    receive(batch);
  } else if (answer && !answer.ok && answer.status < 500) {
    const words = explain(answer.status, await answer.text().catch(() => ""));
    if (answer.status === 422) complain(words);
    else end(words);
    return;
  }
  timer = setTimeout(() => (Date.now() > until ? connect() : poll(until)), POLL);
};
const end = (words) => {
  stop();
  state("Ended", "ended");
  complain(words);
};
const complain = (words) => {
  if (by("state").dataset.kind !== "ended") state("Not connected", "lost");
  by("problem").textContent = words;
  by("problem").hidden = !words;
};

// Input of the reader.

const restart = () => {
  lines = [];
  dropped = 0;
  hidden = 0;
  waiting = 0;
  overflow = 0;
  if (pending) pending = [];
  last = null;
  lostAt = null;
  following = true;
  if (live.dataset.kind === "log") totals = { messages: 0, tokens: 0 };
  samples.length = 0;
  by("problem").hidden = true;
  filters.elements.q.removeAttribute("aria-invalid");
  state("Connecting…", "");
  repaint();
  connect();
};
let typed = 0;
const filter = () => {
  clearTimeout(typed);
  history.replaceState(null, "", `${BASE}${query().size ? `?${query()}` : ""}`);
  restart();
};
filters.addEventListener("submit", (event) => {
  event.preventDefault();
  filter();
});
filters.addEventListener("input", (event) => {
  clearTimeout(typed);
  if (event.target.name === "q") typed = setTimeout(filter, 250);
});
filters.addEventListener("change", (event) => {
  if (event.target.name === "show") {
    history.replaceState(null, "", `${BASE}${query().size ? `?${query()}` : ""}`);
    repaint();
  } else if (event.target.name !== "q") filter();
});

const pause = () => {
  if (pending) {
    const more = pending;
    if (overflow) more.unshift(gap(last, overflow, "arrived while this page was paused."));
    pending = null;
    waiting = 0;
    overflow = 0;
    append(more);
    state("Live", "live");
  } else {
    pending = [];
    state("Paused", "paused");
  }
  repaint();
};
const follow = (on) => {
  following = on;
  repaint();
};
by("pause").addEventListener("click", pause);
by("follow").addEventListener("click", () => follow(!following));
viewport.addEventListener("scroll", () => {
  const moved = Math.abs(viewport.scrollTop - expected) > 1;
  const below = viewport.scrollHeight - viewport.scrollTop - viewport.clientHeight;
  if (moved) following = below < height / 2;
  repaint();
});

let asking = 0;
const choose = (line) => {
  chosen = line.n;
  repaint();
  clearTimeout(asking);
  asking = setTimeout(async () => {
    await load(`${BASE}/message/${line.n}`, shown);
    const narrow = matchMedia("(max-width: 1099px)").matches;
    if (narrow && viewport.dataset.by === "click") shown.scrollIntoView({ block: "start" });
  }, 60);
};
shown.addEventListener("htmx:responseError", (event) => {
  event.preventDefault();
  shown.replaceChildren(element("p", "notice warning", "This message is no longer available."));
});
viewport.addEventListener("click", (event) => {
  const row = event.target.closest(".line");
  const line = row && lines.find((one) => one.n === Number(row.dataset.n) && one.gap === undefined);
  if (!line) return;
  viewport.dataset.by = "click";
  choose(line);
});
const step = (steps) => {
  const there = lines.map((line, at) => at).filter((at) => lines[at].gap === undefined);
  if (!there.length) return;
  const now = there.findIndex((at) => lines[at].n === chosen);
  const newest = there.length - 1;
  const next = there[now < 0 ? newest : Math.min(Math.max(now + steps, 0), newest)];
  following = false;
  const top = next * height;
  const bottom = top + height;
  if (top < viewport.scrollTop) viewport.scrollTop = top;
  else if (bottom > viewport.scrollTop + viewport.clientHeight) {
    viewport.scrollTop = bottom - viewport.clientHeight;
  }
  expected = viewport.scrollTop;
  viewport.dataset.by = "key";
  choose(lines[next]);
};
const JUMPS = { PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity };
const STEPS = { ArrowDown: 1, ArrowUp: -1, ...JUMPS };
viewport.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in STEPS)) return;
  event.preventDefault();
  step(STEPS[event.key]);
});
command({ words: "Pause or resume", keys: "P", group: "Live", run: pause });
const turn = () => follow(!following);
command({ words: "Turn auto-scroll on or off", keys: "F", group: "Live", run: turn });
command({ words: "Next message", keys: "J", group: "Live", run: () => walk(1) || step(1) });
command({ words: "Previous message", keys: "K", group: "Live", run: () => walk(-1) || step(-1) });

followFindings(() => lines, (after) => `${BASE}/lines?${query({ after })}`, repaint);
new ResizeObserver(measure).observe(live);
measure();
connect();
