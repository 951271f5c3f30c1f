// Requests of the page that Python in this browser answers. They replace XMLHttpRequest, which htmx
// uses, and fetch, so that nothing on the page can send a text.
const FORGOTTEN = "This browser can’t load Python from the server.";
let worker = null;
let ready = null;
let last = 0;
const waiting = new Map();

const hear = ({ data }) => {
  const asked = waiting.get(data.id);
  if (!asked) return;
  waiting.delete(data.id);
  if (data.failed) asked.reject(new Error(data.failed));
  else asked.resolve(data.response);
};

// Start Python once. A failure can be tried again: the server may be back.
export const start = ({ script, folder }) => {
  ready ??= new Promise((resolve, reject) => {
    worker = new Worker(script, { type: "module" });
    worker.addEventListener("error", () => reject(new Error(FORGOTTEN)));
    worker.addEventListener("message", (event) => {
      if (event.data.ready) resolve();
      else if (event.data.id === undefined) reject(new Error(event.data.failed));
      else hear(event);
    });
    worker.postMessage({ folder: new URL(folder, location.href).href });
  }).catch((error) => {
    worker.terminate();
    ready = null;
    throw error;
  });
  return ready;
};

const ask = async (request) => {
  await ready;
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  last += 1;
  const id = last;
  const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, method: request.method, url: request.url, headers, body });
  return answered;
};

const FORBIDS_BODY = [204, 304];
const answerFetch = async (input, init) => {
  const { status, headers, body } = await ask(new Request(input, init));
  return new Response(FORBIDS_BODY.includes(status) ? null : body, { status, headers });
};

// As much of XMLHttpRequest as htmx uses.
class Request_ extends EventTarget {
  upload = new EventTarget();
  status = 0;
  response = "";
  #given = new Headers();
  #answered = new Headers();
  #stopped = false;

  open(method, url) {
    this.method = method.toUpperCase();
    this.responseURL = new URL(url, location.href).href;
  }

  overrideMimeType() {}

  setRequestHeader(name, value) {
    this.#given.set(name, value);
  }

  getResponseHeader(name) {
    return this.#answered.get(name);
  }

  getAllResponseHeaders() {
    return [...this.#answered].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  get responseText() {
    return this.response;
  }

  abort() {
    this.#stopped = true;
    this.#tell("abort");
    this.#tell("loadend");
  }

  async send(body) {
    this.#tell("loadstart");
    try {
      const asked = { method: this.method, headers: this.#given, body: body ?? undefined };
      const answer = await ask(new Request(this.responseURL, asked));
      if (this.#stopped) return;
      this.status = answer.status;
      this.#answered = new Headers(answer.headers);
      this.response = new TextDecoder().decode(answer.body);
    } catch {
      if (this.#stopped) return;
      this.#tell("error");
      this.#tell("loadend");
      return;
    }
    this.#tell("load");
    this.#tell("loadend");
  }

  #tell(name) {
    const event = new ProgressEvent(name);
    this[`on${name}`]?.(event);
    this.dispatchEvent(event);
  }
}

const sent = { XMLHttpRequest: window.XMLHttpRequest, fetch: window.fetch };
export const install = () =>
  Object.assign(window, { XMLHttpRequest: Request_, fetch: answerFetch });
export const uninstall = () => Object.assign(window, sent);
