// Numbers about the lines of a live view.
import { element, numbers } from "./line.js";

export const put = (id, value) => {
  const place = document.getElementById(id);
  const text = numbers.format(value);
  if (place && place.textContent !== text) place.textContent = text;
};

const sum = (lines) => {
  const totals = new Map();
  for (const { gap, a: act, s: severity, k: tokens } of lines) {
    if (gap !== undefined) continue;
    const total = totals.get(act) ?? { act, messages: 0, invalid: 0, tokens: 0 };
    total.messages += 1;
    total.invalid += severity === "error" ? 1 : 0;
    total.tokens += tokens;
    totals.set(act, total);
  }
  const more = (one, other) => other.messages - one.messages || (one.act < other.act ? -1 : 1);
  return [...totals.values()].sort(more);
};

// The totals by act, until a message is chosen, which takes their place.
let drawn = "";
export const drawActs = (lines) => {
  const body = document.querySelector("#acts tbody");
  if (!body || !lines.length) return;
  const totals = sum(lines);
  const state = JSON.stringify(totals);
  if (state === drawn) return;
  drawn = state;
  body.replaceChildren(
    ...totals.map(({ act, messages, invalid, tokens }) => {
      const row = document.createElement("tr");
      const name = element("th", "", act || "no protocol");
      name.scope = "row";
      row.append(name);
      for (const one of [messages, invalid, tokens]) {
        row.append(element("td", "", numbers.format(one)));
      }
      return row;
    }),
  );
};
