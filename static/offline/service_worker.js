// Stores the anonymous workbench and its files, so that the page opens when the server is away. It
// answers no request that carries a text: those are POST requests, which it leaves alone, and the
// page answers them with Python. The server puts OFFERED, the list of files, before this script.
const PREFIX = "cablese-";
const PAGE = PREFIX + OFFERED?.version;
const PYTHON = PREFIX + OFFERED?.folder;
const AWAY = [502, 503, 504];

const isAnonymous = (response) => {
  const [name, value] = OFFERED.mark;
  return response.ok && !response.redirected && response.headers.get(name) === value;
};

// Whoever opens the stored page may decode in the browser only, so it can send nothing to anybody.
const silence = (page) => {
  const headers = new Headers(page.headers);
  headers.set("Content-Security-Policy", OFFERED.policy);
  return new Response(page.body, { headers });
};

// Without cookies, a page is that of nobody who is signed in. A proxy that asks for its own cookie
// gets it, and then the server's mark decides.
const storePage = async (cache) => {
  for (const credentials of ["omit", "same-origin"]) {
    const page = await fetch(OFFERED.page, { credentials, cache: "no-store" });
    if (isAnonymous(page)) return cache.put(OFFERED.page, silence(page));
  }
};

const store = async () => {
  const cache = await caches.open(PAGE);
  await cache.addAll([...OFFERED.files, OFFERED.worker]);
  await storePage(cache);
};

const storePython = async () => {
  const cache = await caches.open(PYTHON);
  for (const address of OFFERED.python)
    if (!(await cache.match(address))) await cache.add(address);
};

const removeOthers = async () => {
  const stored = await caches.keys();
  const old = stored.filter((name) => name.startsWith(PREFIX) && ![PAGE, PYTHON].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
};

const begin = async () => {
  await removeOthers();
  if (OFFERED) await self.clients.claim();
  else await self.registration.unregister();
};

const first = async (name, request) => {
  const cache = await caches.open(name);
  const stored = await cache.match(request.url);
  if (stored) return stored;
  const response = await fetch(request);
  if (name === PYTHON && response.ok) await cache.put(request.url, response.clone());
  return response;
};

const open = async (request) => {
  let failure;
  try {
    const response = await fetch(request);
    if (!AWAY.includes(response.status)) return response;
    failure = () => response;
  } catch (error) {
    failure = () => Promise.reject(error);
  }
  const cache = await caches.open(PAGE);
  return (await cache.match(OFFERED.page)) ?? failure();
};

self.addEventListener("install", (event) => {
  self.skipWaiting();
  if (OFFERED) event.waitUntil(store());
});
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("message", (event) => {
  if (OFFERED && event.data === "store Python") event.waitUntil(storePython());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (!OFFERED || request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(OFFERED.folder)) event.respondWith(first(PYTHON, request));
  else if (OFFERED.files.includes(pathname)) event.respondWith(first(PAGE, request));
  else if (pathname === OFFERED.worker) event.respondWith(first(PAGE, request));
  else if (request.mode === "navigate" && pathname === OFFERED.page)
    event.respondWith(open(request));
});
