// Draws what was verified: as text only, never as markup.

const EVERY = 250;
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const TITLES = {
  raw: "Raw text",
  index: "Meaning and metadata",
  reading: "Decoding",
  event: "Event ID",
  by: "Who stored and reviewed it",
};

/** Returns an element with text and other elements inside. */
function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside.filter((one) => one !== null));
  return element;
}

const code = (text) => make("code", {}, String(text));
const NAMES = new Map([
  ["from_line", "Read from the log line"],
  ["sent_text", "Sent, as written"],
  ["sent_zone", "Assumed time zone"],
]);
/** What our own metadata is called; the names of agents stay as they are. */
const label = (name) =>
  NAMES.get(name) ?? visible(name.charAt(0).toUpperCase() + name.slice(1));

/** Makes visible what text hides: controls, and what changes its direction. */
function visible(text) {
  return text.replace(HIDDEN, (one) => {
    const number = one.codePointAt(0).toString(16).toUpperCase();
    return `⟨U+${number.padStart(4, "0")}⟩`;
  });
}

function say(value) {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return visible(value.join(", "));
  }
  return visible(typeof value === "object" ? JSON.stringify(value) : String(value));
}

function facts(pairs) {
  const list = make("dl", {});
  for (const [name, value] of pairs) {
    if (value === undefined || value === "") continue;
    list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  }
  return list;
}

const textOf = (opening) => ("text" in opening ? opening.text : `base64 ${opening.base64}`);

function objectOf(line, field) {
  try {
    return JSON.parse(line.open[field].text);
  } catch {
    return {};
  }
}

function setState(state, headline, text) {
  const banner = document.getElementById("verdict");
  banner.dataset.state = state;
  banner.replaceChildren(make("strong", {}, headline), make("span", {}, text));
}

function listPlaces(title, items) {
  if (!items.length) return [];
  const list = make("ol", {}, ...items.slice(0, EVERY).map((one) => make("li", {}, one)));
  if (items.length > EVERY) list.append(make("li", {}, `${items.length - EVERY} more`));
  return [make("section", { class: "places" }, make("h2", {}, title), list)];
}

function drawVerdict({ failures, warnings }, manifest) {
  const all =
    `All ${manifest?.count} packets are in the tree signed by the key below. This file can’t ` +
    "show whose key that is: compare it with one from another source.";
  if (failures.length) {
    const checks = failures.length === 1 ? "1 check" : `${failures.length} checks`;
    setState("failed", "Failed", `${checks} failed. Do not rely on this file.`);
  } else if (warnings.length) {
    setState("warned", "Verified with warnings", all);
  } else {
    setState("verified", "Verified", all);
  }
  const places = failures.map(({ place, text }) => `${place}: ${text}`);
  document.getElementById("checks").replaceChildren(
    ...listPlaces("Failures", places),
    ...listPlaces("Warnings", warnings),
  );
}

function drawManifest(manifest) {
  const { query, at, first, last } = manifest.selection;
  const keys = manifest.keys.map((key) => make("code", { class: "key" }, key.vkey));
  const erased = manifest.erased ? `, ${manifest.erased} of them erased` : "";
  const subject = facts([
    ["Log", manifest.origin],
    ["Search", query ? code(visible(query)) : "All packets"],
    ["Range", typeof first === "number" ? `Every leaf from ${first} to ${last}` : ""],
    ["Packets", `${manifest.count}${erased}`],
    ["Log size", `${at} leaves when searched, ${manifest.size} when signed`],
    ["Withheld", manifest.withheld.map((kind) => TITLES[kind]).join(", ")],
    ["Exported", `${manifest.made} by ${manifest.made_by}`],
    ["Keys", make("span", {}, ...keys)],
  ]);
  document.getElementById("subject").replaceChildren(subject);
}

function drawStep(line) {
  const decision = objectOf(line, "decision");
  const by = objectOf(line, "by");
  const who = by.source ? by.source.replace(/^user:/, "") : "Unknown";
  const undone = decision.undoes === undefined ? "" : ` the step at leaf ${decision.undoes}`;
  const did = `${decision.state ?? "reviewed"}${undone}`;
  const what = line.said.kind === "redaction" ? "erased content" : did;
  const reason = decision.note || (line.open?.reason ? objectOf(line, "reason") : "");
  return make(
    "li", {}, make("b", {}, visible(who)), ` ${what} `,
    reason ? make("q", {}, visible(String(reason))) : null,
    make("small", {}, ` leaf ${line.leaf}, ${line.said.recv}`),
  );
}

function drawFacts(line) {
  const { meaning = {}, supplied = {}, sent_at: sent, content } = objectOf(line, "index");
  const { valid } = objectOf(line, "reading");
  const { source } = objectOf(line, "by");
  const event = line.open?.event;
  const pairs = Object.entries({ ...supplied, ...meaning });
  return facts([
    ["Received", line.said.recv],
    ["Sent", sent ? say(sent) : ""],
    ["Protocol", line.said.proto],
    ["Valid", valid === undefined ? "" : valid ? "yes" : "no"],
    ["Stored by", source ? say(source) : ""],
    ["Event ID", event ? say(textOf(event)) : ""],
    ...pairs.map(([name, value]) => [label(name), say(value)]),
    ["Content", content ? say(content) : ""],
  ]);
}

function drawText(line) {
  if (line.open?.raw) return make("pre", {}, visible(textOf(line.open.raw)));
  const erased = `The content was erased: see leaf ${line.erased}.`;
  const text = "erased" in line ? erased : "The exporter withheld the raw text.";
  return make("p", { class: "gone" }, text);
}

function drawPacket(line, sentence, steps, failed) {
  const state = failed ? ["bad", "✖ failed"] : ["good", "✓ in the signed tree"];
  return make(
    "article", { id: `packet-${line.leaf}` },
    make(
      "header", {}, make("h3", {}, `Packet ${line.leaf}`),
      make("span", { class: state[0] }, state[1]),
    ),
    sentence ? make("p", { class: "sentence" }, visible(sentence)) : null,
    drawText(line),
    drawFacts(line),
    steps.length ? make("ul", { class: "reviews" }, ...steps.map(drawStep)) : null,
    make("p", { class: "hash" }, "Leaf hash ", code(hex(line.hash))),
  );
}

/** Draws the packets a few at a time, so that the page can be used meanwhile. */
async function drawPackets(verdict) {
  const sentences = new Map(verdict.explanations.map((one) => [one.leaf, one.sentence]));
  const failed = new Set(verdict.failures.map(({ place }) => /leaf (\d+)/.exec(place)?.[1]));
  const steps = new Map();
  for (const line of verdict.lines) {
    if ("about" in line) steps.set(line.about, [...(steps.get(line.about) ?? []), line]);
  }
  const packets = verdict.lines.filter((line) => line.said.kind === "packet");
  const list = document.getElementById("packets");
  for (let at = 0; at < packets.length; at += EVERY) {
    for (const line of packets.slice(at, at + EVERY)) {
      const { leaf } = line;
      const isBad = failed.has(String(leaf));
      list.append(drawPacket(line, sentences.get(leaf), steps.get(leaf) ?? [], isBad));
    }
    await new Promise((resume) => { setTimeout(resume); });
  }
}

function drawConversations(verdict) {
  const drawn = verdict.explanations.filter((one) => "svg" in one);
  document.getElementById("conversations").hidden = !drawn.length;
  for (const one of drawn) {
    const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(one.svg)}`;
    const picture = make("img", { src: source, alt: `Sequence diagram of ${visible(one.title)}` });
    const caption = make("figcaption", {}, `${visible(one.title)}: packets `);
    for (const leaf of one.leaves) caption.append(packetLink(leaf), " ");
    document.getElementById("figures").append(make("figure", {}, picture, caption));
  }
}

const packetLink = (leaf) => make("a", { href: `#packet-${leaf}` }, String(leaf));
