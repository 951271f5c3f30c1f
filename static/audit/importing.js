// Uploads a file into a log in chunks. The server answers each chunk with the bytes that it took
// and the packets that it stored, and the next chunk begins there. So no message is split, and
// after a stop or an error the upload resumes from the last answer.

import { explain } from "../base/refusal.js";
import { toUtf8 } from "../base/utf16.js";
import { hash, readDigests } from "./block_digest.js";
import { show } from "./times.js";

const FIRST = 512 * 1024;
const MOST = 8 * 1024 * 1024;
const SHOWN = 200;
const LOOKED = 64 * 1024;
const LISTED = 20;
const COUNTS = ["kept", "valid", "again", "refused", "ignored", "unclaimed"];
const FOUND = ["kept", "again", "refused"];
const UNCOMPARED =
  "Without HTTPS, your browser can’t compare the file with earlier imports. Messages that you " +
  "imported from a shorter version of it are stored again.";
const number = (one) => one.toLocaleString("en");

const percent = (part, all) => (all ? Math.floor((100 * part) / all) : 100);
const parse = (html) => new DOMParser().parseFromString(html, "text/html").body.childNodes;

// Identifies a file by its size and a hash of its beginning and end, so a copy has the same ID.
// Browsers hash only on a secure page. On others, the ID has the name and date of the file.
const identify = async (file) => {
  if (!globalThis.crypto?.subtle)
    return `${file.name.slice(0, 500)}:${file.size}:${file.lastModified}`;
  const ends = new Blob([file.slice(0, FIRST), file.slice(Math.max(FIRST, file.size - FIRST))]);
  return `sha256:${await hash(await ends.arrayBuffer())}:${file.size}`;
};

// Runs the form in `place`, for the file chosen in it or the file passed as `handed`.
const begin = (place, handed = null) => {
  const form = place.querySelector(".import-form");
  place.querySelector(".import-again")?.addEventListener("click", () => again(place, handed));
  if (!form) return;
  const find = (name) => place.querySelector(`.import-${name}`);
  const bar = place.querySelector("progress");
  const title = place.querySelector("#import-title");
  const start = handed ? title : form.elements.file;
  if (handed) {
    find("pick").hidden = true;
    find("name").hidden = false;
    find("name").textContent = `${handed.name}, ${number(handed.size)} bytes`;
  }
  let job = null;

  const say = (words) => {
    find("words").textContent = words;
  };

  const count = () => {
    const all = { ...job.counts, invalid: job.counts.kept - job.counts.valid };
    for (const [name, value] of Object.entries(all)) {
      const cell = place.querySelector(`[data-count="${name}"]`);
      if (cell) cell.textContent = number(value);
    }
    find("resembling").replaceChildren(...resemblances());
    countUnclaimed();
    find("counts").hidden = false;
    bar.value = job.file.size ? job.at / job.file.size : 1;
  };

  // Fragments without a message, of which the first are listed.
  const unclaimed = place.querySelector(".import-counts .import-unclaimed");
  const countUnclaimed = () => {
    const total = job.counts.unclaimed;
    const left = total - job.fragments.length;
    const [summary, list, more] = unclaimed.children;
    const fragments = total === 1 ? "fragment" : "fragments";
    summary.textContent = `${number(total)} ${fragments} without a message`;
    list.replaceChildren(...job.fragments.map(drawFragment));
    more.textContent = `and ${number(left)} more`;
    more.hidden = !left;
    unclaimed.hidden = !total;
  };

  const drawFragment = ({ line, text }) => {
    const row = document.createElement("li");
    const code = document.createElement("code");
    code.textContent = text;
    row.append(`Line ${number(line)}: `, code);
    return row;
  };

  // The title of a protocol is that of its option in "Read as".
  const resemblances = () =>
    Object.entries(job.resembling).map(([name, fragments]) => {
      const row = document.createElement("li");
      const option = `[name=protocol] option[value="${CSS.escape(name)}"]`;
      const title = form.querySelector(option)?.text ?? name;
      row.textContent =
        fragments === 1
          ? `1 fragment resembles ${title} and was not stored.`
          : `${number(fragments)} fragments resemble ${title} and were not stored.`;
      return row;
    });

  const take = (answer) => {
    job.at += answer.taken;
    job.line += answer.lines;
    job.kind = answer.kind;
    job.context = answer.context;
    for (const name of COUNTS) job.counts[name] += answer[name];
    for (const [name, fragments] of Object.entries(answer.resembling)) {
      job.resembling[name] = (job.resembling[name] ?? 0) + fragments;
    }
    job.fragments = [...job.fragments, ...answer.fragments].slice(0, LISTED);
    job.first ??= answer.first;
    job.last = answer.last ?? job.last;
    for (const one of answer.wrong) {
      if (find("wrong").childElementCount >= SHOWN) break;
      const row = document.createElement("li");
      row.textContent = `Line ${number(one.line)}: ${one.detail}`;
      find("wrong").append(row);
    }
    count();
  };

  const post = (address, query, body, signal) => {
    const headers = {
      "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
      "Content-Type": "application/octet-stream",
    };
    return fetch(`${address}?${new URLSearchParams(query)}`, {
      method: "POST",
      body,
      headers,
      signal,
    });
  };

  const ask = async (address, query, body) => {
    const answer = await post(address, query, body, job.stop.signal);
    const said = await answer.text().catch(() => "");
    if (!answer.ok) throw new Error(explain(answer.status, said));
    try {
      return JSON.parse(said);
    } catch {
      return { refused: explain(answer.status, said) };
    }
  };

  const position = ({ id: file, at, line, log, kind, protocol, zone }) => ({
    file,
    at,
    line,
    log,
    kind,
    protocol,
    zone,
  });

  const send = (piece, final) => {
    const { context = "", earlier, digest } = job;
    const last = final ? { final: "1", digest } : {};
    const query = { ...position(job), context, earlier, ...last };
    return ask(place.dataset.piece, query, piece);
  };

  // Finds the earlier import of this file, or of a shorter version of it, so that its messages are
  // recognized. Only digests of the file are sent.
  const compare = async () => {
    const { file, log } = job;
    const { size } = file;
    const address = place.dataset.earlier;
    const note = find("earlier");
    if (!size) return;
    if (!globalThis.crypto?.subtle) {
      note.textContent = UNCOMPARED;
      note.hidden = false;
      return;
    }
    const { sizes } = await ask(address, { log, size });
    const digests = await readDigests(file, [...sizes, size], (at) => {
      job.stop.signal.throwIfAborted();
      say(`Comparing with earlier imports: ${percent(at, size)}%`);
    });
    job.digest = digests[size];
    if (!sizes.length) return;
    const known = Object.fromEntries(sizes.map((each) => [each, digests[each]]));
    const found = await ask(address, { log, size }, JSON.stringify(known));
    job.earlier = found.earlier ?? "";
    note.replaceChildren(...parse(found.words));
    show(note);
    note.hidden = !job.earlier;
  };

  const chosen = () => {
    const { log, kind, protocol, zone } = form.elements;
    return {
      file: handed ?? form.elements.file.files[0],
      at: 0,
      line: 1,
      log: log.value,
      kind: kind.value,
      protocol: protocol.value,
      zone: zone.value,
    };
  };

  // Previews the first messages of the file with their metadata. Nothing is stored.
  let looking = null;
  const look = async () => {
    looking?.abort();
    const about = chosen();
    find("preview").hidden = true;
    if (!about.file) return;
    looking = new AbortController();
    const { signal } = looking;
    try {
      about.id = "preview"; // Nothing is stored, so no ID has to be made.
      // A character of UTF-16 takes two bytes, and mostly one in UTF-8.
      const start = await toUtf8(about.file.slice(0, 2 * LOOKED), { strict: false });
      const query = position(about);
      const answer = await post(place.dataset.preview, query, start.slice(0, LOOKED), signal);
      const drawn = answer.ok ? await answer.text() : "";
      if (!drawn || signal.aborted) return;
      find("preview").replaceChildren(...parse(drawn));
      find("preview").hidden = false;
    } catch {
      // Without an answer there is no preview. The import itself reports the error.
    }
  };

  const rest = () => {
    if (!job.compared) return "Nothing was stored.";
    const done = `${number(job.at)} of ${number(job.file.size)} bytes imported`;
    return `${done}, up to line ${number(job.line)}. The packets counted so far are stored.`;
  };

  const run = async () => {
    job.stop = new AbortController();
    find("stop").hidden = false;
    find("on").hidden = true;
    let size = FIRST;
    try {
      if (!job.id) {
        job.file = await toUtf8(job.file, { strict: true });
        job.id = await identify(job.file);
      }
      if (!job.compared) await compare();
      job.compared = true;
      do {
        const piece = job.file.slice(job.at, job.at + size);
        const final = job.at + piece.size >= job.file.size;
        say(`${percent(job.at, job.file.size)}%`);
        const answer = await send(piece, final);
        take(answer);
        // A message longer than the chunk needs a longer chunk.
        size = answer.taken ? FIRST : Math.min(size * 4, MOST);
        // A chunk with many messages is not taken at once.
        job.done = final && (job.at >= job.file.size || !answer.taken);
      } while (!job.done);
      end();
    } catch (error) {
      find("stop").hidden = true;
      const lost = error instanceof TypeError ? "Connection lost." : error.message;
      say(`${job.stop.signal.aborted ? "Stopped." : lost} ${rest()}`);
      // A file that cannot be read cannot be resumed. Another one can be chosen.
      const unreadable = !job.id && !job.stop.signal.aborted;
      find("on").hidden = unreadable;
      form.hidden = !unreadable || Boolean(handed);
      (unreadable ? start : find("on")).focus();
    }
  };

  const end = () => {
    find("stop").hidden = true;
    if (!FOUND.some((name) => job.counts[name])) return endWithout();
    const packets = job.counts.kept === 1 ? "packet" : "packets";
    say(`Done. ${number(job.counts.kept)} ${packets} stored from ${job.file.name}.`);
    if (job.first === null) return title.focus();
    const query = new URLSearchParams({ log: job.slug, q: `leaf:${job.first}..${job.last}` });
    find("see").href = `${place.dataset.trail}?${query}`;
    find("see").hidden = false;
    const { slug, first, last } = job;
    find("receipts").search = new URLSearchParams({ log: slug, first, last });
    find("receipts").hidden = false;
    find("see").focus();
  };

  const endWithout = () => {
    const { name, size } = job.file;
    say(size ? `No messages found in ${name}. Nothing was stored.` : `${name} is empty.`);
    form.hidden = Boolean(handed);
    start.focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const about = chosen();
    if (!about.file) return form.elements.file.click();
    looking?.abort();
    const counts = Object.fromEntries(COUNTS.map((name) => [name, 0]));
    job = { ...about, slug: about.log, counts, resembling: {}, fragments: [] };
    job.earlier = job.digest = "";
    job.first = job.last = null;
    find("wrong").replaceChildren();
    find("earlier").hidden = true;
    form.hidden = true;
    find("progress").hidden = false;
    title.focus();
    count();
    run();
  });
  form.addEventListener("change", look);
  find("preview").addEventListener("click", (event) => {
    const better = event.target.closest(".import-format");
    if (!better) return;
    form.elements.kind.value = better.value;
    form.elements.kind.focus(); // The preview, and the button in it, is replaced.
    look();
  });
  if (handed) look();
  find("stop").addEventListener("click", () => job.stop.abort());
  find("on").addEventListener("click", run);
};

// Fetches the form into `place`: after a sign-in in another tab, or for a file from the workbench.
const again = async (place, handed) => {
  const holder = place.parentElement;
  const answer = await fetch(place.dataset.page, { headers: { "HX-Request": "true" } });
  holder.replaceChildren(...parse(await answer.text()));
  begin(holder.querySelector(".import"), handed);
};

const standing = document.querySelector("main > .import");
if (standing) begin(standing);

export { again };
