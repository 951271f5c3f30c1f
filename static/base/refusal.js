// Why the server refused a request: what its error or its error page says, or else the status.
export const explain = (status, body) => {
  try {
    const { detail, refused } = JSON.parse(body);
    if (detail ?? refused) return detail ?? refused;
  } catch {
    const page = new DOMParser().parseFromString(body, "text/html");
    const words = page.querySelector("h1 + p")?.textContent.trim().replace(/\s+/g, " ");
    if (words) return `${page.querySelector("h1").textContent}. ${words}`;
  }
  return `The server responded with status ${status}.`;
};
