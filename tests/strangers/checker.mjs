// Verify a proof file: node checker.mjs VKEY PROOF-FILE LEAF-FILE. Or a checkpoint: VKEY FILE.
// Written from C2SP signed-note, tlog-checkpoint, and tlog-proof, and from RFC 9162, 2.1.3.2.
// It prints what it found, and ends with 1 if something is wrong.

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const bytes = (...numbers) => Buffer.from(numbers);

function fail(words) {
  console.log(`wrong: ${words}`);
  process.exit(1);
}

function decode(text) {
  const data = Buffer.from(text, "base64");
  return data.toString("base64") === text ? data : fail(`not base64: ${text}`);
}

function readKey(vkey) {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? fail("the key");
  const blob = decode(encoded);
  if (blob[0] !== 1 || blob.length !== 33) fail("the key is not for Ed25519 notes");
  if (sha256(Buffer.from(`${name}\n`), blob).toString("hex", 0, 4) !== id) fail("the key's ID");
  const x = blob.subarray(1).toString("base64url");
  return { name, id, public: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }) };
}

function openCheckpoint(note, key) {
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) fail("the note has no signatures");
  const text = note.slice(0, end + 1);
  const good = note.slice(end + 2, -1).split("\n").some((line) => {
    const [dash, name, encoded] = line.split(" ");
    const blob = decode(encoded);
    if (dash !== "\u2014") fail("a signature line");
    if (name !== key.name || blob.toString("hex", 0, 4) !== key.id) return false;
    return verify(null, Buffer.from(text), key.public, blob.subarray(4)) || fail("the signature");
  });
  if (!good) fail("the key did not sign this checkpoint");
  const [origin, size, root] = text.split("\n");
  if (origin !== key.name) fail("the checkpoint is of another log");
  if (!/^(0|[1-9][0-9]*)$/.test(size)) fail("the size");
  return { origin, size: BigInt(size), root: decode(root) };
}

function openProof(text) {
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, end).split("\n");
  if (lines.shift() !== "c2sp.org/tlog-proof@v1") fail("the first line");
  if (lines[0].startsWith("extra ")) lines.shift();
  const index = /^index (0|[1-9][0-9]*)$/.exec(lines.shift()) ?? fail("the index");
  return { index: BigInt(index[1]), path: lines.map(decode), note: text.slice(end + 2) };
}

function climb(leaf, index, size, path) {
  if (index >= size) fail("there is no such leaf");
  let [at, last, found] = [index, size - 1n, leaf];
  for (const sibling of path) {
    if (last === 0n) fail("the path is too long");
    if (at & 1n || at === last) {
      found = sha256(bytes(1), sibling, found);
      while (!(at & 1n) && at) [at, last] = [at >> 1n, last >> 1n];
    } else {
      found = sha256(bytes(1), found, sibling);
    }
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last ? fail("the path is too short") : found;
}

const [vkey, file, leafFile] = process.argv.slice(2);
const key = readKey(vkey);
const text = readFileSync(file, "utf8");
if (leafFile === undefined) {
  const { origin, size } = openCheckpoint(text, key);
  console.log(`${origin}: ${size} leaves`);
} else {
  const { index, path, note } = openProof(text);
  const { origin, size, root } = openCheckpoint(note, key);
  const leaf = sha256(bytes(0), readFileSync(leafFile));
  if (!climb(leaf, index, size, path).equals(root)) fail("the leaf is not in the tree");
  console.log(`${origin}: leaf ${index} of ${size}`);
}
