// Token counts for Python in the browser, by gpt-tokenizer. A test holds them equal to tiktoken's.
const CORES = new Map();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// JavaScript takes U+FEFF for a space and U+0085 for none, unlike Unicode and tiktoken. tiktoken
// also ignores case as Unicode does, which folds ſ to s.
const corrected = (split) =>
  new RegExp(
    split.source
      .replaceAll("\\s", "\\p{White_Space}")
      .replaceAll("\\S", "\\P{White_Space}")
      .replaceAll("[sS]", "[sSſ]"),
    split.flags,
  );

export const load = async (folder, name, parameters) => {
  const at = (path) => import(`${folder}gpt-tokenizer/${path}.js`);
  const [{ BytePairEncodingCore }, { default: ranks }, made] = await Promise.all([
    at("BytePairEncodingCore"),
    at(`bpeRanks/${name}`),
    at(`encodingParams/${name}`),
  ]);
  // The library's own decoder drops U+FEFF at the beginning of a token.
  class Core extends BytePairEncodingCore {
    getBpeRankFromBytes(bytes) {
      try {
        return this.getBpeRankFromString(exact.decode(bytes));
      } catch {
        return super.getBpeRankFromBytes(bytes);
      }
    }
  }
  const given = made[parameters](ranks);
  CORES.set(name, new Core({ ...given, tokenSplitRegex: corrected(given.tokenSplitRegex) }));
};

const utf8 = new TextEncoder();
export const encode = (name, text) => CORES.get(name).encodeNative(text);
export const count = (name, text) => CORES.get(name).countNative(text);
export const decode = (name, token) => {
  const spelled = CORES.get(name).tryDecodeToken(token);
  return typeof spelled === "string" ? utf8.encode(spelled) : spelled;
};
