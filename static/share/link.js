// What a shared link contains after the `#`, which browsers never send to a server:
//
//   #share=1.<base64url of deflate of JSON>
//   {"text": "REQ/TSK|g=42,t=1", "protocol": "nslip", "message": 2}
//
// or the text alone, so that people and programs can write a link by hand:
//
//   #text=<the text, percent-encoded as UTF-8>
//
// The number is the version of this format. Anything that does not match it exactly is refused with
// a reason, since a link may come from anyone: a small one can inflate to gigabytes, so inflating
// stops at a limit.

export const LIMIT = 8192;
const INFLATED = 2 * 1024 * 1024;
const TEXT = 1024 * 1024;
const BEGIN = "#share=1.";
const PLAIN = "#text=";
const KINDS = {
  text: "string",
  protocol: "string",
  tokenizer: "string",
  message: "number",
  to: "string",
};

export class Refused extends Error {}

const bytesOf = (text) => new TextEncoder().encode(text);

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

// Return the fragment of a state: longer than LIMIT if it is too large, null if no page would
// unpack it.
export const write = async (state) => {
  const content = bytesOf(JSON.stringify(state));
  if (content.length > INFLATED) return null;
  const packed = through(content, new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return BEGIN + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const inflate = async (bytes) => {
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused("The link is damaged: its content can’t be unpacked.");
    });
    if (done) return new Blob(parts).arrayBuffer();
    size += value.length;
    if (size > INFLATED) {
      reader.cancel().catch(() => {});
      throw new Refused("Its content is larger than the limit of 2 MiB.");
    }
    parts.push(value);
  }
};

const unpacked = async (packed) => {
  let binary;
  try {
    binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Refused("The link is damaged: part of it is missing.");
  }
  const content = await inflate(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  } catch (error) {
    const words =
      error instanceof SyntaxError ? "its content is not valid JSON" : "its content is not UTF-8";
    throw new Refused(`It is damaged: ${words}.`);
  }
};

const check = (state) => {
  if (state === null || typeof state !== "object" || Array.isArray(state))
    throw new Refused("The link contains no text.");
  for (const [key, value] of Object.entries(state)) {
    const kind = Object.hasOwn(KINDS, key) ? KINDS[key] : null;
    if (!kind) throw new Refused(
        `Unknown field “${key.slice(0, 40)}”. The link may come from a newer version of Cablese.`,
      );
    if (typeof value !== kind) throw new Refused(`The field “${key}” must be a ${kind}.`);
  }
  if (typeof state.text !== "string") throw new Refused("The link contains no text.");
  if (bytesOf(state.text).length > TEXT)
    throw new Refused("Its text is larger than the limit of 1 MiB.");
  if (state.message !== undefined && !(Number.isInteger(state.message) && state.message > 0)) {
    throw new Refused("The field “message” must be a whole number, 1 or greater.");
  }
  return state;
};

const readText = (fragment) => {
  let text;
  try {
    text = decodeURIComponent(fragment.slice(PLAIN.length));
  } catch {
    throw new Refused("The link is damaged: its percent-encoding is not valid UTF-8.");
  }
  if (!text) throw new Refused("The link contains no text.");
  return { text };
};

// Return the state in a fragment. Throws Refused with a message for people.
export const read = async (fragment) => {
  if (fragment.startsWith(PLAIN)) {
    if (fragment.length > LIMIT) throw new Refused("The link is longer than the limit of 8 KiB.");
    return readText(fragment);
  }
  const version = /^#share=(\d{1,9})\./.exec(fragment)?.[1];
  if (version === undefined) throw new Refused("The link is damaged: it has no version.");
  if (version !== "1")
    throw new Refused(`Unsupported link version ${version}. Expected version 1.`);
  if (fragment.length > LIMIT) throw new Refused("The link is longer than the limit of 8 KiB.");
  const packed = fragment.slice(BEGIN.length);
  if (!/^[\w-]+$/.test(packed))
    throw new Refused("The link is damaged: it contains invalid characters.");
  return check(await unpacked(packed));
};
