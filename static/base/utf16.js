// Files in UTF-16, as PowerShell writes them: known by their byte order mark.

// The encoding that the first bytes of a file state. The mark of UTF-32 begins like UTF-16's.
export const utf16 = ([first, second, third, fourth]) => {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const marked = first === 0xff && second === 0xfe;
  return marked && (third !== 0 || fourth !== 0) ? "utf-16le" : null;
};

// The file in UTF-8. With `strict`, an error if it is not valid UTF-16.
export const toUtf8 = async (file, { strict }) => {
  const encoding = utf16(new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  if (encoding === null) return file;
  const decoder = new TextDecoderStream(encoding, { fatal: strict });
  const bytes = file.stream().pipeThrough(decoder).pipeThrough(new TextEncoderStream());
  try {
    return new File([await new Response(bytes).blob()], file.name);
  } catch {
    throw new Error(`${file.name} is not valid UTF-16.`);
  }
};
