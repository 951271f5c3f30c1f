// Keys, signed trees, and the proof that one begins with the other (C2SP signed-note, RFC 9162).

const ED25519 = { name: "Ed25519" };
const UNCHECKED =
  "This browser cannot check Ed25519 signatures, so the signature was not checked. "
  + "Download the pack of the same search, and run: cablese-verify PACK.zip --key KEY";

/** Reads a C2SP verifier key: name+id+base64 of the algorithm and the key. */
async function readKey(vkey) {
  const [name, id, ...rest] = vkey.split("+");
  const key = decode64(rest.join("+"));
  const hash = await sha256(utf8(`${name}\n`), key);
  if (key[0] !== 1 || key.length !== 33 || hex(hash.slice(0, 4)) !== id) {
    throw new Unusable("The key is not an Ed25519 key.");
  }
  return { name, id, bytes: key.slice(1) };
}

/** Returns a signed tree. `checked` is whether a key signed it; null if that cannot be told. */
async function readCheckpoint(note, keys) {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const [origin, size, root] = text.split("\n");
  let checked = false;
  for (const line of note.slice(end + 2).split("\n")) {
    const found = /^— (\S+) (\S+)$/.exec(line);
    const signature = found ? decode64(found[2]) : new Uint8Array();
    const id = hex(signature.slice(0, 4));
    const key = keys.find((one) => one.name === found?.[1] && one.id === id);
    if (key && !checked) checked = await isSigned(key, text, signature.slice(4));
  }
  return { origin, size: Number(size), root: decode64(root), checked };
}

async function isSigned(key, text, signature) {
  try {
    const made = await crypto.subtle.importKey("raw", key.bytes, ED25519, false, ["verify"]);
    return await crypto.subtle.verify(ED25519, made, signature, utf8(text));
  } catch {
    return null;
  }
}

/** RFC 9162 § 2.1.4.2 */
async function isConsistent(first, last, proof) {
  if (first.size === last.size) return !proof.length && same(first.root, last.root);
  const path = Number.isInteger(Math.log2(first.size)) ? [first.root, ...proof] : [...proof];
  let [at, end] = [first.size - 1, last.size - 1];
  while (at % 2 === 1) [at, end] = [Math.floor(at / 2), Math.floor(end / 2)];
  let before = path[0];
  let after = path[0];
  for (const hash of path.slice(1)) {
    if (end === 0) return false;
    if (at % 2 === 1 || at === end) {
      before = await hashNode(hash, before);
      after = await hashNode(hash, after);
      while (at % 2 === 0 && at > 0) [at, end] = [at / 2, Math.floor(end / 2)];
    } else {
      after = await hashNode(after, hash);
    }
    [at, end] = [Math.floor(at / 2), Math.floor(end / 2)];
  }
  return end === 0 && same(before, first.root) && same(after, last.root);
}

async function checkSigned(members, manifest, verdict) {
  const keys = await Promise.all(manifest.keys.map((key) => readKey(key.vkey)));
  const trees = {};
  for (const name of ["checkpoint", "first-checkpoint"]) {
    if (!(name in members)) continue;
    const tree = await readCheckpoint(members[name], keys);
    trees[name] = tree;
    if (tree.origin !== manifest.origin) verdict.fail(name, "It is for another log.");
    if (tree.checked === false) verdict.fail(name, "No key of the report signed it.");
    if (tree.checked === null && name === "checkpoint") {
      verdict.warnings.push(UNCHECKED);
    }
  }
  if (trees.checkpoint.size !== manifest.size) {
    verdict.fail("checkpoint", "Its size differs from the manifest.");
  }
  if (trees["first-checkpoint"]) {
    const proof = (members.consistency ?? "").split("\n").slice(0, -1).map(decode64);
    const fits = await isConsistent(trees["first-checkpoint"], trees.checkpoint, proof);
    if (!fits) verdict.fail("consistency", "The tree does not begin with the first signed tree.");
  }
  return trees.checkpoint;
}
