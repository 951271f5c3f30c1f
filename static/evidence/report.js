// Verifies a report when it is opened, and draws it.

const data = (id) => document.getElementById(id).textContent;

async function checkDigests(members, manifest, verdict) {
  const texts = { ...members };
  texts["entries.ndjson"] = data("entries");
  texts["explanations.ndjson"] = data("explanations");
  delete texts["manifest.json"];
  for (const name of new Set([...Object.keys(texts), ...Object.keys(manifest.members)])) {
    const found = name in texts ? hex(await sha256(utf8(texts[name]))) : "";
    const text = "It was changed: its digest does not match.";
    if (found !== manifest.members[name]) verdict.fail(name, text);
  }
}

async function readExplanations(verdict) {
  for (const [at, text] of data("explanations").split("\n").slice(0, -1).entries()) {
    const found = await readSummed(text, `explanations, line ${at + 1}`, verdict);
    if (found) verdict.explanations.push(found);
  }
}

function warn(manifest, verdict) {
  if (manifest.withheld.length) verdict.warnings.push("The exporter withheld some content.");
  if (manifest.erased) {
    const packets = manifest.erased === 1 ? "1 packet" : `${manifest.erased} packets`;
    verdict.warnings.push(`The content of ${packets} was erased.`);
  }
}

async function verifyReport(verdict) {
  const members = await readSummed(data("members"), "members", verdict);
  delete members.sum;
  const manifest = await readSummed(members["manifest.json"], "manifest", verdict);
  const progress = (done, all) => setState("busy", "Verifying…", `${done} of ${all} lines`);
  const root = await readEntries(data("entries"), manifest, verdict, progress);
  const tree = await checkSigned(members, manifest, verdict);
  if (!same(root, tree.root)) {
    verdict.fail("entries", "The leaves do not match the signed tree.");
  }
  checkLines(manifest, verdict);
  await readExplanations(verdict);
  await checkDigests(members, manifest, verdict);
  warn(manifest, verdict);
  return manifest;
}

async function run() {
  if (!globalThis.crypto?.subtle) {
    setState("failed", "Not verified", "This browser has no WebCrypto. Open the file from a disk.");
    return;
  }
  const verdict = new Verdict();
  let manifest = null;
  try {
    manifest = await verifyReport(verdict);
    drawManifest(manifest);
    drawConversations(verdict);
    await drawPackets(verdict);
  } catch (error) {
    verdict.fail("report", `Its data cannot be read: it was changed (${error.message}).`);
  }
  drawVerdict(verdict, manifest);
  document.documentElement.dataset.done = "yes";
}

run();
