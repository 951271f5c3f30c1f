// Findings are made seconds after a packet is stored. Lines that wait for theirs are asked for
// again, less and less often while there are none.
const SOON = 2_000;
const LATE = 60_000;
const BACK = 200;

const waits = (line) => (line.m ?? []).some(([name]) => name === "waiting");

export const followFindings = (lines, addressAfter, repaint) => {
  let pause = SOON;
  const ask = async (first) => {
    const headers = { Accept: "application/json" };
    const asked = await fetch(addressAfter(first.n - 1), { headers });
    if (!asked.ok) return false;
    const made = new Map((await asked.json()).lines.map((line) => [line.n, line]));
    let isNew = false;
    for (const line of lines()) {
      const now = made.get(line.n);
      if (!now || !waits(line) || waits(now)) continue;
      line.m = now.m;
      line.found = true;
      isNew = true;
    }
    return isNew;
  };
  const look = async () => {
    const first = document.hidden ? null : lines().slice(-BACK).find(waits);
    if (first) {
      const isNew = await ask(first).catch(() => false);
      pause = isNew ? SOON : Math.min(2 * pause, LATE);
      if (isNew) repaint();
    } else pause = SOON;
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
};
