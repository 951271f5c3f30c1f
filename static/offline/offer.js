// Decoding in this browser, when the server is away or the person asks for it. This script is on
// every workbench; what it needs comes when it is needed.
const BLOCKED = "Couldn’t change this because your browser blocks cookies.";
const place = document.getElementById("offline");
const { cookie, service } = place.dataset;
const isChosen = () => document.cookie.split("; ").includes(`${cookie}=1`);
const only = "only" in place.dataset || isChosen();

const answerHere = async (reason) => {
  const { begin } = await import("./local.js");
  await begin(reason);
};

// Nothing is sent before the page's own requests have a way to Python.
const refuse = function refuse() {
  throw new TypeError("Nothing is sent: this page decodes in the browser.");
};
if (only) {
  Object.assign(window, { XMLHttpRequest: refuse, fetch: refuse });
  answerHere("only");
} else {
  const away = () => answerHere("away");
  document.addEventListener("htmx:sendError", away);
  document.addEventListener("htmx:responseError", ({ detail }) => {
    if ([502, 504].includes(detail.xhr.status)) away();
  });
}

const choice = document.getElementById("browser-only");
choice.checked = only;
choice.addEventListener("change", () => {
  const kept = choice.checked ? "1; max-age=31536000" : "; max-age=0";
  const safe = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}=${kept}; path=/; samesite=lax${safe}`;
  // Chromium stores a cookie while the script goes on. When busy, it could reload the page without
  // the cookie and get the policy of a page that may send. Reading the cookie waits for it.
  if (isChosen() === choice.checked) {
    location.reload();
    return;
  }
  choice.checked = only;
  document.getElementById("offline-said").textContent = BLOCKED;
});

// The page has been shown and is quiet when the files for the next visit without a server come.
const QUIET = 4000;
const prepare = async () => {
  await navigator.serviceWorker.register(service);
  const registration = await navigator.serviceWorker.ready;
  if (navigator.connection?.saveData) return;
  setTimeout(() => registration.active.postMessage("store Python"), QUIET);
};
if (navigator.serviceWorker) window.addEventListener("load", () => prepare().catch(() => {}));
