// A digest of a file, and of its beginnings, in one pass: the SHA-256 of the SHA-256 hashes of all
// blocks of 1 MiB, of which the last may be shorter. Browsers hash only what is in memory, which a
// large file is not. `auditlog/ingest/repeats/block_digest.py` does the same.

const BLOCK = 1024 * 1024;
const HASH = 32;

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export const hash = async (bytes) =>
  Array.from(await sha256(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

// The digests of the first bytes of `file`, by their number, for each of the `sizes` that it has.
// `progress` is called before each block with the number of bytes that are read.
export const readDigests = async (file, sizes, progress = () => {}) => {
  const wanted = [...new Set(sizes)].sort((one, other) => other - one);
  const hashes = new Uint8Array(HASH * Math.ceil(file.size / BLOCK));
  const found = {};
  if (wanted.at(-1) === 0) found[wanted.pop()] = await hash(hashes.subarray(0, 0));
  for (let at = 0, end = HASH; wanted.length && at < file.size; at += BLOCK, end += HASH) {
    progress(at);
    const block = new Uint8Array(await file.slice(at, at + BLOCK).arrayBuffer());
    while (wanted.at(-1) <= at + block.length) {
      const size = wanted.pop();
      hashes.set(await sha256(block.subarray(0, size - at)), end - HASH);
      found[size] = await hash(hashes.subarray(0, end));
    }
    hashes.set(await sha256(block), end - HASH);
  }
  return found;
};
