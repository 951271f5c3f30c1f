// What a shared link carries, after the `#` of its address, which browsers never send to a server:
//
//   #share=1.<base64url of deflate of JSON>      {"text": "REQ/TSK|g=42,t=1", "protocol": "nslip", "message": 2}
//
// The number is the version of this form. What does not fit it in every respect is refused with words that say why, since a
// link may come from anybody: a small one can inflate to gigabytes, so it is stopped while it inflates.

export const LIMIT = 8192;
const INFLATED = 2 * 1024 * 1024;
const TEXT = 1024 * 1024;
const BEGIN = "#share=1.";
const KINDS = { text: "string", protocol: "string", tokenizer: "string", message: "number", to: "string" };

export class Refused extends Error {}

const bytesOf = (text) => new TextEncoder().encode(text);

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

// The fragment of a state; longer than LIMIT when it is too large, and none when no page would unpack it.
export const write = async (state) => {
  const content = bytesOf(JSON.stringify(state));
  if (content.length > INFLATED) return null;
  const packed = through(content, new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return BEGIN + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const inflate = async (bytes) => {
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused("It is damaged: what it carries cannot be unpacked.");
    });
    if (done) return new Blob(parts).arrayBuffer();
    size += value.length;
    if (size > INFLATED) {
      reader.cancel().catch(() => {});
      throw new Refused("It unpacks to more than 2 MiB, which no link made here does.");
    }
    parts.push(value);
  }
};

const unpacked = async (packed) => {
  let binary;
  try {
    binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Refused("It is damaged: a part of it is missing.");
  }
  const content = await inflate(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  } catch (error) {
    const words = error instanceof SyntaxError ? "what it carries is no JSON" : "what it carries is not UTF-8";
    throw new Refused(`It is damaged: ${words}.`);
  }
};

const check = (state) => {
  if (state === null || typeof state !== "object" || Array.isArray(state)) throw new Refused("It carries no text.");
  for (const [key, value] of Object.entries(state)) {
    const kind = Object.hasOwn(KINDS, key) ? KINDS[key] : null;
    if (!kind) throw new Refused(`It carries “${key.slice(0, 40)}”, which is unknown here. A newer Cablese may have made it.`);
    if (typeof value !== kind) throw new Refused(`Its “${key}” is no ${kind === "string" ? "text" : kind}.`);
  }
  if (typeof state.text !== "string") throw new Refused("It carries no text.");
  if (bytesOf(state.text).length > TEXT) throw new Refused("Its text is larger than the workbench takes.");
  if (state.message !== undefined && !(Number.isInteger(state.message) && state.message > 0)) {
    throw new Refused("Its “message” is no number of a message.");
  }
  return state;
};

export const isLink = (fragment) => fragment.startsWith("#share=");

// The state that a fragment carries. Throws Refused, whose words say what is wrong.
export const read = async (fragment) => {
  const version = /^#share=(\d{1,9})\./.exec(fragment)?.[1];
  if (version === undefined) throw new Refused("It is damaged: its beginning is not that of a link made here.");
  if (version !== "1") throw new Refused(`It has the form ${version}; this Cablese reads the form 1.`);
  if (fragment.length > LIMIT) throw new Refused("It is longer than 8 KiB, which no link made here is.");
  const packed = fragment.slice(BEGIN.length);
  if (!/^[\w-]+$/.test(packed)) throw new Refused("It is damaged: it holds characters that no link made here holds.");
  return check(await unpacked(packed));
};
