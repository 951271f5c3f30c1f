import { explain } from "./refusal.js";

// Say on any page that the server did not answer, or that it refused. A place that says so itself
// prevents the default of htmx's event.
let note = null;
// Whether the next response that is fine ends it.
let passing = true;

const make = () => {
  const made = document.createElement("div");
  made.className = "notice warning away script-only";
  made.popover = "manual";
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.className = "quiet";
  dismiss.textContent = "Dismiss";
  dismiss.addEventListener("click", () => made.hidePopover());
  made.append(words, dismiss);
  document.body.append(made);
  return made;
};

const say = (words, { passes = true } = {}) => {
  passing = passes;
  note ??= make();
  note.showPopover();
  note.firstChild.textContent = words;
};

// A browser does not ask for a script again that it could not load.
export const sayUnloaded = () =>
  say("Could not load a part of this page. Reload the page to try again.", { passes: false });

// Load a part of the page into its place. What goes wrong is said below.
export const load = async (address, place) => {
  place.setAttribute("aria-busy", "true");
  await htmx.ajax("GET", address, { source: place, target: place }).catch(() => {});
  place.removeAttribute("aria-busy");
};

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, (event) => {
    if (!event.defaultPrevented) say("Can’t reach the server.");
  });
}
document.addEventListener("htmx:responseError", (event) => {
  const { status, responseText } = event.detail.xhr;
  if (!event.defaultPrevented) say(explain(status, responseText));
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && passing) note?.hidePopover();
});

// Signed out meanwhile: the response is the page for signing in, which is no part of another.
document.addEventListener(
  "htmx:beforeSwap",
  ({ detail }) => {
    if (!new URL(detail.xhr.responseURL, location).pathname.endsWith("/signin")) return;
    detail.shouldSwap = false;
    location.reload();
  },
  true,
);
