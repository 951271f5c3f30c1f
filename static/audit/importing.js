// A file into a log, in pieces. The server answers each with the bytes that it took and what it kept of them, so the next
// piece begins there: nothing is cut in two, and after a stop or a failure it goes on from the last answer.

const FIRST = 512 * 1024;
const MOST = 8 * 1024 * 1024;
const SHOWN = 200;
const LOOKED = 64 * 1024;
const COUNTS = ["kept", "valid", "again", "refused", "ignored"];
const number = (one) => one.toLocaleString("en");

const percent = (part, all) => (all ? Math.floor((100 * part) / all) : 100);

// Runs the form in `place`, for the file that was chosen in it or one that was handed over.
const begin = (place, handed = null) => {
  const form = place.querySelector(".import-form");
  place.querySelector(".import-again")?.addEventListener("click", () => again(place, handed));
  if (!form) return;
  const find = (name) => place.querySelector(`.import-${name}`);
  const bar = place.querySelector("progress");
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
    find("counts").hidden = false;
    bar.value = job.file.size ? job.at / job.file.size : 1;
  };

  // The name of a protocol is that of the choice "Read as".
  const resemblances = () =>
    Object.entries(job.resembling).map(([name, fragments]) => {
      const row = document.createElement("li");
      const title = form.querySelector(`[name=protocol] option[value="${CSS.escape(name)}"]`)?.text ?? name;
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
    for (const name of COUNTS) job.counts[name] += answer[name];
    for (const [name, fragments] of Object.entries(answer.resembling)) {
      job.resembling[name] = (job.resembling[name] ?? 0) + fragments;
    }
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

  const ask = async (piece, final) => {
    const answer = await post(place.dataset.piece, { ...job, final: final ? "1" : "" }, piece, job.stop.signal);
    const found = await answer.json().catch(() => ({ refused: `The server answered ${answer.status}.` }));
    if (!answer.ok) throw new Error(found.refused ?? `The server answered ${answer.status}.`);
    return found;
  };

  const post = (address, { file, at, line, log, kind, protocol, zone, final = "" }, body, signal) => {
    const id = `${file.name.slice(0, 500)}:${file.size}:${file.lastModified}`;
    const about = new URLSearchParams({ file: id, at, line, log, kind, protocol, zone, final });
    const headers = {
      "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
      "Content-Type": "application/octet-stream",
    };
    return fetch(`${address}?${about}`, { method: "POST", body, headers, signal });
  };

  const chosen = () => {
    const { log, kind, protocol, zone } = form.elements;
    const file = handed ?? form.elements.file.files[0];
    return { file, at: 0, line: 1, log: log.value, kind: kind.value, protocol: protocol.value, zone: zone.value };
  };

  // The first messages of the file with their facts, as the server reads them; it stores nothing of them.
  let looking = null;
  const look = async () => {
    looking?.abort();
    const about = chosen();
    find("preview").hidden = true;
    if (!about.file) return;
    looking = new AbortController();
    const { signal } = looking;
    try {
      const answer = await post(place.dataset.preview, about, about.file.slice(0, LOOKED), signal);
      const drawn = answer.ok ? await answer.text() : "";
      if (!drawn || signal.aborted) return;
      find("preview").replaceChildren(...new DOMParser().parseFromString(drawn, "text/html").body.childNodes);
      find("preview").hidden = false;
    } catch {
      // Without an answer there is no preview. The import itself says what is wrong.
    }
  };

  const rest = () =>
    `${number(job.at)} of ${number(job.file.size)} bytes are done, up to line ${number(job.line)}; what was counted is kept.`;

  const run = async () => {
    job.stop = new AbortController();
    find("stop").hidden = false;
    find("on").hidden = true;
    let size = FIRST;
    try {
      do {
        const piece = job.file.slice(job.at, job.at + size);
        const final = job.at + piece.size >= job.file.size;
        say(`${percent(job.at, job.file.size)} %`);
        const answer = await ask(piece, final);
        take(answer);
        // A message that goes on for longer than the piece needs a longer one.
        size = answer.taken || final ? FIRST : Math.min(size * 4, MOST);
        job.done = final;
      } while (!job.done);
      end();
    } catch (error) {
      find("stop").hidden = true;
      find("on").hidden = false;
      const why = job.stop.signal.aborted ? "Stopped." : error instanceof TypeError ? "The connection broke." : error.message;
      say(`${why} ${rest()}`);
      find("on").focus();
    }
  };

  const end = () => {
    find("stop").hidden = true;
    say(`Done: all of ${job.file.name} was read. ${number(job.counts.kept)} ${job.counts.kept === 1 ? "packet" : "packets"} kept.`);
    if (job.first === null) return;
    const query = new URLSearchParams({ log: job.slug, q: `leaf:${job.first}..${job.last}` });
    find("see").href = `${place.dataset.trail}?${query}`;
    find("see").hidden = false;
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const about = chosen();
    if (!about.file) return form.elements.file.click();
    looking?.abort();
    const counts = Object.fromEntries(COUNTS.map((name) => [name, 0]));
    job = { ...about, slug: about.log, counts, resembling: {} };
    job.first = job.last = null;
    find("wrong").replaceChildren();
    form.hidden = true;
    find("progress").hidden = false;
    count();
    run();
  });
  form.addEventListener("change", look);
  if (handed) look();
  find("stop").addEventListener("click", () => job.stop.abort());
  find("on").addEventListener("click", run);
};

// Fetches the form into `place`, for somebody who signed in elsewhere or a file that the workbench hands over.
const again = async (place, handed) => {
  const holder = place.parentElement;
  const answer = await fetch(place.dataset.page, { headers: { "HX-Request": "true" } });
  holder.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
  begin(holder.querySelector(".import"), handed);
};

const standing = document.querySelector("main > .import");
if (standing) begin(standing);

export { again };
