// The sequence diagram as PNG: the SVG file of the server, drawn to a canvas. The policy allows
// images from data: URLs. An image runs no script and loads nothing, so the canvas can be read.
import { explain } from "../base/refusal.js";
import { form, total } from "../workbench/decoding.js";

const SCALE = 2;
// Browsers draw no larger canvas, in pixels of one side and of the area.
const SIDE = 16_000;
const AREA = 60_000_000;
const button = document.getElementById("export-png");
const status = document.getElementById("export-said");

const tell = (words, problem = false) => {
  status.textContent = words;
  status.classList.toggle("error", problem);
};

class Refused extends Error {}

const fetchSvg = async () => {
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(button.dataset.svg, { method: "POST", body, headers });
  if (answer.ok) return answer.text();
  throw new Refused(explain(answer.status, await answer.text()));
};

const draw = async (svg) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const fits = Math.min(SIDE / Math.max(width, height), Math.sqrt(AREA / (width * height)));
  const scale = Math.min(SCALE, fits);
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

const save = (blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "cablese-messages.png";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

button.addEventListener("click", async () => {
  if (!total()) return tell("The text contains no messages, so there is no diagram.", true);
  tell("Drawing the diagram…");
  try {
    const blob = await draw(await fetchSvg());
    if (!blob) throw new Error("no image");
    save(blob);
    tell("PNG saved.");
  } catch (error) {
    tell(error instanceof Refused ? error.message : "Can’t draw the diagram.", true);
  }
});
button.closest("details").addEventListener("toggle", () => tell(""));
