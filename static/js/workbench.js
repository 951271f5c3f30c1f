// The workbench: a real textarea over a layer that paints, decoding as you type, fixes, keys.
(() => {
  const form = document.getElementById("workbench");
  const text = document.getElementById("text");
  const backdrop = document.getElementById("backdrop");
  const help = document.getElementById("help");
  const HUES = 8;
  const kinds = [...Array(HUES).keys()].map((hue) => `hue-${hue}`).concat(["error", "warning", "info"]);
  const painted = typeof Highlight === "function" && "highlights" in CSS;
  let timer = 0;
  let current = -1;
  let chosen = Number(document.querySelector("#reading input[name=message]").value);

  // One request is under way at a time, and the last one asked for follows it (hx-sync), so no old answer comes late.
  const decode = () => {
    clearTimeout(timer);
    htmx.trigger(form, "decode");
  };
  let target = form.querySelector("select[name=to]")?.value ?? "";
  form.addEventListener("htmx:configRequest", (event) => {
    event.detail.parameters.message = String(chosen);
    event.detail.parameters.to = target;
  });

  // The layer holds one text node a line: ranges stay cheap and only the lines in view are painted.
  const lay = () => {
    const lines = text.value.split("\n");
    const have = backdrop.childNodes;
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] + "\n";
      if (at >= have.length) backdrop.append(document.createElement("div"));
      const holder = have[at];
      if (holder.textContent !== line) holder.textContent = line;
    }
    while (have.length > lines.length) backdrop.lastChild.remove();
  };

  const paint = () => {
    if (!painted) return;
    const starts = [];
    let at = 0;
    for (const line of text.value.split("\n")) {
      starts.push(at);
      at += line.length + 1;
    }
    const ranges = new Map(kinds.map((kind) => [kind, []]));
    const lineOf = (place) => {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= place) low = middle;
        else high = middle;
      }
      return low;
    };
    const add = (start, end, kind) => {
      for (let line = lineOf(start); line < starts.length && starts[line] < end; line += 1) {
        const node = backdrop.childNodes[line]?.firstChild;
        if (!node) return;
        const range = new StaticRange({
          startContainer: node,
          startOffset: Math.max(start - starts[line], 0),
          endContainer: node,
          endOffset: Math.min(end - starts[line], node.length),
        });
        ranges.get(kind)?.push(range);
      }
    };
    for (const row of document.querySelectorAll("#reading .message[data-marks]")) {
      for (const [start, end, kind] of JSON.parse(row.dataset.marks)) {
        add(start, end, typeof kind === "number" ? `hue-${kind}` : kind);
      }
    }
    for (const [kind, list] of ranges) {
      const highlight = new Highlight(...list);
      highlight.priority = kind.startsWith("hue") ? 0 : 1;
      CSS.highlights.set(kind, highlight);
    }
  };

  const wait = () => (text.value.length < 10_000 ? 40 : text.value.length < 100_000 ? 120 : 400);
  const changed = (at_once) => {
    if (!text.value) chosen = 1;
    lay();
    clearTimeout(timer);
    timer = setTimeout(decode, at_once ? 0 : wait());
  };
  text.addEventListener("input", (event) => changed(event.inputType === "insertFromPaste"));
  form.addEventListener("change", (event) => {
    if (event.target.name === "to") target = event.target.value;
    if (event.target.matches("select")) decode();
  });
  document.addEventListener("htmx:afterSwap", () => {
    current = -1;
    said.textContent = promise;
    paint();
  });

  const said = document.getElementById("text-note");
  const promise = said.textContent;
  const late = "The fields below are those of an earlier text.";
  form.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    said.textContent = status === 413 ? `This is more text than the workbench takes. ${late}` : `The server answered ${status}. ${late}`;
  });
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    form.addEventListener(failure, () => {
      said.textContent = `The server does not answer. ${late}`;
    });
  }

  // insertText keeps the browser's own undo, which setting the value would throw away.
  const replace = (start, end, put) => {
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, end);
    const done = put ? document.execCommand("insertText", false, put) : document.execCommand("delete");
    if (!done) text.setRangeText(put, start, end, "end");
    changed(true);
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) {
      const note = event.target.closest(".diagnostic");
      if (note) show(note);
      return;
    }
    if (button.name === "fix") {
      event.preventDefault();
      replace(Number(button.dataset.start), Number(button.dataset.end), button.dataset.text);
    } else if (button.name === "message") {
      event.preventDefault();
      choose(Number(button.value));
    }
  });

  const total = () => Number(document.getElementById("reading").dataset.total);
  const choose = (number) => {
    if (number < 1 || number > total()) return;
    chosen = number;
    decode();
  };
  const show = (note) => {
    text.setSelectionRange(Number(note.dataset.start), Number(note.dataset.end));
    if (chosen !== Number(note.dataset.message)) choose(Number(note.dataset.message));
  };
  const step = (by) => {
    const notes = [...document.querySelectorAll("#reading .diagnostic")];
    if (!notes.length) return;
    current = current < 0 && by < 0 ? notes.length - 1 : (current + by + notes.length) % notes.length;
    notes[current].focus();
    text.setSelectionRange(Number(notes[current].dataset.start), Number(notes[current].dataset.end));
  };
  const panels = ["text", "panel-fields", "panel-means", "panel-diagnostics", "panel-tokens"];

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Enter" && event.ctrlKey) {
      event.preventDefault();
      decode();
    } else if (event.key === "F8") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === "." && event.ctrlKey) {
      event.preventDefault();
      const notes = document.querySelectorAll("#reading .diagnostic");
      (notes[Math.max(current, 0)]?.querySelector(".fix") ?? document.querySelector("#reading .fix"))?.click();
    } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      choose(Math.min(chosen, total()) + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.altKey && /^[1-5]$/.test(event.key)) {
      event.preventDefault();
      const panel = document.getElementById(panels[Number(event.key) - 1]);
      panel?.focus();
      panel?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "?" && !typing) {
      help.showModal();
    }
  });

  document.getElementById("clear").addEventListener("click", (event) => {
    event.preventDefault();
    text.focus();
    text.select();
    document.execCommand("delete");
    changed(true);
  });

  lay();
  paint();
})();
