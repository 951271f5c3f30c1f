// Python in the browser: it answers the requests of the page with the code of the server. The
// script has a policy of its own, which lets it compile WebAssembly and load its files.
let answer;

const begin = async (folder) => {
  const bytes = async (name) => {
    const response = await fetch(folder + name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const libraries = Promise.all([bytes("msgspec.whl"), bytes("cablese.tar.xz")]);
  const tokenizer = import(`${folder}tokenizer.js`).then(async (tokens) => {
    await Promise.all([
      tokens.load(folder, "o200k_base", "O200KBase"),
      tokens.load(folder, "cl100k_base", "Cl100KBase"),
    ]);
    return tokens;
  });
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: folder,
    stdLibURL: `${folder}stdlib.zip`,
    packageBaseUrl: folder,
    // There are no packages to look up.
    lockFileContents: {
      info: {
        abi_version: "2026_0",
        arch: "wasm32",
        platform: "emscripten",
        version: "0",
        python: "3.14.0",
      },
      packages: {},
    },
  });
  const { count, encode, decode } = await tokenizer;
  python.registerJsModule("tokenizer_in_javascript", { count, encode, decode });
  const [msgspec, ours] = await libraries;
  python.unpackArchive(msgspec, "whl");
  python.FS.writeFile("/cablese.tar.xz", ours);
  python.runPython(`
import os, sys, tarfile
with tarfile.open("/cablese.tar.xz") as archive:
    archive.extractall("/cablese", filter="data")
os.remove("/cablese.tar.xz")
sys.path.insert(0, "/cablese")
from playground.offline.browser.start import answer
`);
  answer = python.globals.get("answer");
};

const respond = ({ method, url, headers, body }) => {
  const made = answer(method, url, headers, body);
  const [status, found, content] = made.toJs({
    create_pyproxies: false,
    dict_converter: Object.fromEntries,
  });
  made.destroy();
  return { status, headers: found, body: content };
};

self.addEventListener("message", async ({ data }) => {
  try {
    if (data.folder) await begin(data.folder);
    else return postMessage({ id: data.id, response: respond(data) });
    postMessage({ ready: true });
  } catch (error) {
    // Python's own message, without the text that caused it.
    postMessage({ id: data.id, failed: String(error.message ?? error).slice(-2000) });
  }
});
