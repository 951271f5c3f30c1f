// Verifies the lines of a report (docs/design/evidence-pack.md) with WebCrypto. A report has all
// four scripts for it as one, in their order, so that it loads nothing.

const SUM = /^([^]*),"sum":"([0-9a-f]{16})"\}$/;
const RANGE = /^[\s()]*leaf:(\d{1,16})(?:\.\.(\d{1,16}))?[\s()]*$/;
const ABOUT_PACKETS = ["redaction", "review"];
const CHUNK = 200;
const encoder = new TextEncoder();

class Unusable extends Error {}

const utf8 = (text) => encoder.encode(text);
const digest = (bytes) => crypto.subtle.digest("SHA-256", bytes);
const sha256 = async (...parts) => new Uint8Array(await digest(join(parts)));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

function join(parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function decode64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function number32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

const same = (one, other) => hex(one) === hex(other);
const hashNode = (left, right) => sha256(Uint8Array.of(1), left, right);

/** What was verified: failures and warnings with their places, and the lines by their leaves. */
class Verdict {
  failures = [];
  warnings = [];
  lines = [];
  explanations = [];
  fail(place, text) {
    this.failures.push({ place, text });
  }
}

/** Returns the object of a line whose sum is checked. */
async function readSummed(text, place, verdict) {
  const found = SUM.exec(text);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    verdict.fail(place, "This cannot be read: it was changed.");
    return null;
  }
  if (!found || hex((await sha256(utf8(found[1]))).slice(0, 8)) !== found[2]) {
    verdict.fail(place, "This was changed: its sum does not match.");
  }
  return value;
}

/** Subtrees from the left: the largest perfect ones between two leaves. */
function cover(first, last) {
  const levels = [];
  while (first < last) {
    let level = 0;
    while (first % 2 ** (level + 1) === 0 && first + 2 ** (level + 1) <= last) level += 1;
    levels.push(level);
    first += 2 ** level;
  }
  return levels;
}

class Frontier {
  at = 0;
  #nodes = [];
  async push(level, hash) {
    this.#nodes.push([level, hash]);
    this.at += 2 ** level;
    for (let last = this.#nodes.length - 1; last > 0; last -= 1) {
      const [left, right] = this.#nodes.slice(-2);
      if (left[0] !== right[0]) return;
      this.#nodes.splice(-2, 2, [left[0] + 1, await hashNode(left[1], right[1])]);
    }
  }
  async root() {
    const hashes = this.#nodes.map((node) => node[1]);
    let found = hashes.pop() ?? (await sha256());
    while (hashes.length) found = await hashNode(hashes.pop(), found);
    return found;
  }
}

async function checkCommitments(place, entry, line, verdict) {
  for (const [field, opening] of Object.entries(line.open ?? {})) {
    const bytes = "text" in opening ? utf8(opening.text) : decode64(opening.base64);
    const name = utf8(field);
    const hash = await sha256(
      utf8("cablese/commit/v1\0"), number32(name.length), name,
      decode64(opening.salt), number32(bytes.length), bytes,
    );
    if (base64(hash) !== entry.commit?.[field]) {
      verdict.fail(`${place}, ${field}`, "It does not match the leaf’s commitment.");
    }
  }
}

function checkMissing(place, entry, line, manifest, isErased, verdict) {
  if (isErased || (entry.kind !== "packet" && !("about" in line))) return;
  for (const field of Object.keys(entry.commit ?? {})) {
    if (!(field in (line.open ?? {})) && !manifest.withheld.includes(field)) {
      verdict.fail(`${place}, ${field}`, "It is missing, and neither withheld nor erased.");
    }
  }
}

async function readLine(text, number, manifest, verdict) {
  const place = `entries, line ${number}`;
  const line = await readSummed(text, place, verdict);
  if (!line || "end" in line) return line;
  const there = `${place}, leaf ${line.leaf}`;
  try {
    line.said = JSON.parse(line.entry);
    line.hash = await sha256(Uint8Array.of(0), utf8(line.entry));
    if (line.said.log !== manifest.log) verdict.fail(there, "The leaf is from another log.");
    await checkCommitments(there, line.said, line, verdict);
  } catch {
    verdict.fail(there, "This cannot be read: it was changed.");
    return null;
  }
  return line;
}

async function pushLine(frontier, line, number, size, verdict) {
  const place = `entries, line ${number}`;
  const next = "end" in line ? line.end : line.leaf;
  const levels = next >= frontier.at && next <= size ? cover(frontier.at, next) : [];
  const hashes = decode64(line.before ?? "");
  if (next < frontier.at || hashes.length !== levels.length * 32) {
    verdict.fail(place, "It is out of order, or has the wrong number of hashes.");
    return;
  }
  for (const [at, level] of levels.entries()) {
    await frontier.push(level, hashes.slice(at * 32, at * 32 + 32));
  }
  if (!("end" in line)) await frontier.push(0, line.hash);
}

/** Verifies all lines, and returns the root of the tree that they are of. */
async function readEntries(text, manifest, verdict, progress) {
  const texts = text.split("\n");
  if (texts.pop() !== "") verdict.fail("entries", "The last line is cut off.");
  const frontier = new Frontier();
  for (let at = 0; at < texts.length; at += CHUNK) {
    const some = texts.slice(at, at + CHUNK);
    const lines = await Promise.all(
      some.map((one, next) => readLine(one, at + next + 1, manifest, verdict)),
    );
    for (const [next, line] of lines.entries()) {
      if (!line) continue;
      try {
        await pushLine(frontier, line, at + next + 1, manifest.size, verdict);
      } catch {
        verdict.fail(`entries, line ${at + next + 1}`, "This cannot be read: it was changed.");
      }
      if (!("end" in line)) verdict.lines.push({ ...line, number: at + next + 1 });
      else if (line.end !== manifest.size) verdict.fail("entries", "It ends with another size.");
    }
    progress(Math.min(at + CHUNK, texts.length), texts.length);
  }
  return frontier.root();
}

/** Checks which leaves say what of each other, and the counts. */
function checkLines(manifest, verdict) {
  const packets = verdict.lines.filter((line) => line.said.kind === "packet");
  const erased = new Map(packets.filter((one) => "erased" in one).map((one) => [one.leaf, one]));
  const known = new Set(packets.map((one) => one.leaf));
  const leaves = new Map(verdict.lines.map((line) => [line.leaf, line]));
  for (const line of verdict.lines) {
    const place = `entries, line ${line.number}, leaf ${line.leaf}`;
    const isErased = erased.has(line.leaf) || erased.has(line.about);
    checkMissing(place, line.said, line, manifest, isErased, verdict);
    if (isMissing(line, known)) {
      verdict.fail(place, `It is about packet ${line.said.leaf}, and has no \`about\`.`);
    }
    if ("about" in line && (!known.has(line.about) || line.said.leaf !== line.about)) {
      verdict.fail(place, `The leaf is not about packet ${line.about} of this report.`);
    }
  }
  for (const [leaf, line] of erased) {
    const by = leaves.get(line.erased)?.said;
    if (by?.kind !== "redaction" || by.leaf !== leaf) {
      verdict.fail(`entries, leaf ${leaf}`, `Leaf ${line.erased} does not erase it.`);
    }
  }
  const counts = { count: packets.length, erased: erased.size };
  counts.about = verdict.lines.length - packets.length;
  for (const [name, found] of Object.entries(counts)) {
    const text = `${name} is ${manifest[name]}, not ${found}.`;
    if (manifest[name] !== found) verdict.fail("manifest", text);
  }
  checkKeys(manifest.keys, leaves, verdict);
  checkRange(manifest.selection, leaves, verdict);
}

/** Checks that the leaf of each key has that key. */
function checkKeys(keys, leaves, verdict) {
  for (const { leaf, vkey } of keys) {
    if (leaf === null || leaf === undefined) continue;
    const said = leaves.get(leaf)?.said;
    if (said?.kind !== "signing-key" || said.key !== vkey.split("+")[1]) {
      verdict.fail("manifest", `Leaf ${leaf} is not about the key ${vkey.slice(0, 80)}.`);
    }
  }
}

/** Returns whether a line does not say that it is about a packet of this report. */
function isMissing({ about, said }, known) {
  return about === undefined && ABOUT_PACKETS.includes(said.kind) && known.has(said.leaf);
}

function checkRange({ query, at, first, last }, leaves, verdict) {
  const found = RANGE.exec(query);
  if (found) {
    const low = Number(found[1]);
    const high = Math.min(Number(found[2] ?? low), at - 1);
    const ends = low <= high ? [low, high] : [null, null];
    if ((first ?? null) !== ends[0] || (last ?? null) !== ends[1]) {
      verdict.fail("manifest", "The search is a range of leaves, and its ends are different.");
    }
  }
  if (first === null || first === undefined) return;
  for (let leaf = first; leaf <= last; leaf += 1) {
    if (!leaves.has(leaf)) verdict.fail("entries", `Leaf ${leaf} of the range is missing.`);
  }
}
