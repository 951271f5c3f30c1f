// Decisions, comments, and undo. The next packet is shown at once, while the step is stored. Steps
// are sent one after the other; one that was not stored is reported with its note.
import { show as showTimes } from "../audit/times.js";
import { explain } from "../base/refusal.js";
import { forgetSent, keepDraft, sendDraft } from "./drafts.js";
import { drop, focusPacket, hold, list, show, shown, take, tell } from "./packets.js";

const refused = document.getElementById("refused");
const gone = new Set(); // leaves with a step of ours, which the next packet is not taken from
const DOES = { reviewed: "marks it reviewed", flagged: "flags the packet" };
const COMMENTS = "saves the comment";
const ASKED = "Type a comment first.";
const RELOAD = "Reload the page to see whether the step was stored.";
const LARGE = 60_000; // a browser sends no more than this after the page is left
let mode = "commented";
let last = Promise.resolve();

// Run a step once the one before is done, even if that one failed.
const queue = (step) => {
  const done = last.then(step);
  last = done.catch(reportError);
  return done;
};

const parse = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  showTimes(page);
  return page;
};

// What an earlier page said, and what was refused before.
const forgetMessages = () => {
  refused.replaceChildren();
  for (const notice of document.querySelectorAll("main > .notice")) notice.remove();
};

// The link that a person who has been signed out needs. The page goes on after the sign-in.
const linkToSignIn = (address) => {
  const link = document.createElement("a");
  link.href = `${new URL(address).pathname}?next=${encodeURIComponent(location.pathname)}`;
  link.target = "_blank";
  link.textContent = "Sign in in a new tab";
  return link;
};

const refuse = (leaf, note, words, level = "error") => {
  gone.delete(leaf);
  drop(leaf);
  forgetSent(leaf);
  keepDraft(leaf, note);
  const alert = document.createElement("p");
  alert.className = `notice ${level}`;
  alert.setAttribute("role", "alert");
  alert.append(...[words].flat().flatMap((one) => [one, " "]));
  if (leaf !== shown().dataset.leaf) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Open packet ${leaf}`;
    button.addEventListener("click", () => {
      alert.remove();
      show(leaf);
    });
    alert.append(button);
  } else show(leaf);
  refused.append(alert);
};

const apply = (changes) => {
  for (const element of [...changes.querySelectorAll("[id]")]) {
    document.getElementById(element.id)?.replaceWith(document.importNode(element, true));
  }
};

// Return what is next after a step, or null if it was not stored.
const send = async (address, fields, leaf) => {
  const note = fields.get("note") ?? "";
  let answer = null;
  let body = null;
  try {
    const keepalive = fields.toString().length < LARGE;
    const headers = { "HX-Request": "true" };
    answer = await fetch(address, { method: "POST", body: fields, headers, keepalive });
    body = await answer.text(); // which fails if the connection breaks meanwhile
  } catch {
    refuse(leaf, note, `Packet ${leaf}: can’t reach the server. ${RELOAD}`);
    return null;
  }
  const page = parse(body);
  const changes = page.getElementById("changes");
  if (changes) apply(changes);
  if (answer.ok && changes?.dataset.opens) {
    location.assign(changes.dataset.opens);
    return null;
  }
  if (answer.ok && changes) {
    return { ...changes.dataset, packet: page.getElementById("packet") };
  }
  const words = answer.redirected ? "You have been signed out." : explain(answer.status, body);
  const refusal = answer.redirected || (answer.status >= 400 && answer.status < 500);
  const stored = refusal ? "Nothing was stored." : RELOAD;
  const said = page.querySelector("p[role=alert][data-leaf]")?.textContent;
  const level = changes ? "warning" : "error"; // nothing failed: a step of somebody came first
  const full = [`${words} ${stored}`, ...(answer.redirected ? [linkToSignIn(answer.url)] : [])];
  refuse(leaf, note, said?.trim().replace(/\s+/g, " ") ?? full, level);
  return null;
};

const fieldsOf = (form) => {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("page", list().dataset.page);
  return fields;
};

const findNext = (ahead) => ahead.split(" ").find((leaf) => leaf && !gone.has(leaf));

export const decide = (state) => {
  const pane = shown();
  const { leaf, ahead } = pane.dataset;
  const form = pane.querySelector("#decide");
  const fields = fieldsOf(form);
  fields.set("state", state);
  if (state === "commented" && !fields.get("note").trim()) {
    write("commented");
    form.elements.note.placeholder = ASKED;
    tell(ASKED);
    return;
  }
  form.elements.note.value = "";
  sendDraft(leaf, fields.get("note"));
  gone.add(leaf);
  forgetMessages();
  const sent = queue(() => send(form.action, fields, leaf));
  hold(leaf, sent);
  const next = findNext(ahead);
  if (next) show(next);
  sent.then((changes) => {
    if (!changes) return;
    forgetSent(leaf);
    tell(`Packet ${leaf} ${state}.`);
    if (!next) finish(leaf, changes);
  });
};

// No packet without a step is known here: ask the server, which knows what others did.
const finish = (leaf, { ahead }) => {
  const [open] = ahead.split(" ").filter((each) => each && each !== leaf);
  if (shown().dataset.leaf !== leaf) return;
  if (open) show(open);
  else {
    show(leaf);
    tell("All other packets have a decision.");
  }
};

const undoSteps = async (form, fields) => {
  const { leaf } = shown().dataset;
  const changes = await send(form.action, fields, leaf);
  if (!changes) return;
  gone.clear();
  drop(changes.leaf);
  drop(leaf);
  take(changes.packet);
  tell(changes.said);
  await show(changes.leaf);
};

// What was decided before this page was opened is undone only if the page said so when asked.
export const undo = () => {
  forgetMessages();
  const offered = document.getElementById("undo").elements.steps?.value;
  queue(() => {
    const form = document.getElementById("undo");
    const steps = form.elements.steps?.value;
    if (!steps || ("older" in form.dataset && steps !== offered)) {
      tell(steps ? document.getElementById("undo-what").textContent : "There is nothing to undo.");
      return null;
    }
    return undoSteps(form, fieldsOf(form));
  });
};

// Focus the note. Enter then takes the step.
export const write = (state) => {
  mode = state;
  const note = document.getElementById("note");
  note.focus();
  note.setSelectionRange(note.value.length, note.value.length);
  describe();
};

const describe = () => {
  const place = document.querySelector("#note-keys [data-does]");
  if (place) place.textContent = DOES[mode] ?? COMMENTS;
};

document.addEventListener("keydown", (event) => {
  if (event.target.id !== "note" || event.isComposing) return;
  if (event.key === "Escape") focusPacket();
  else if (event.key === "Enter" && !event.shiftKey) decide(mode);
  else return;
  event.preventDefault();
});
document.addEventListener("focusout", (event) => {
  if (event.target.id === "note") mode = "commented";
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.id === "decide") {
    event.preventDefault();
    decide(button?.value ?? "commented");
  } else if (form.id === "undo") {
    event.preventDefault();
    undo();
  } else if (form.id === "undo-step" && button) {
    event.preventDefault();
    const fields = fieldsOf(form);
    fields.set("steps", button.value);
    queue(() => undoSteps(form, fields));
  }
});

