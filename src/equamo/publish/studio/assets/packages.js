// Packages of the kernel: one gzipped tar archive, as `make studio-site` writes it. It is unpacked here and
// not in Python, so that it happens while Python starts.

const BLOCK = 512; // [bytes] of a tar archive

// Content of a gzipped file. A server may have declared gzip as the transfer encoding.
export async function inflate(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// Files of a tar archive, as [path, Uint8Array].
export function unpack(data) {
  const text = (at, length) => new TextDecoder().decode(data.subarray(at, at + length)).replace(/\0.*$/s, "");
  const files = [];
  for (let at = 0; data[at];) {
    const size = parseInt(text(at + 124, 12), 8), name = text(at, 100), prefix = text(at + 345, 155);
    at += BLOCK;
    files.push([prefix ? `${prefix}/${name}` : name, data.subarray(at, at + size)]);
    at += BLOCK * Math.ceil(size / BLOCK);
  }
  return files;
}

// Put the files where Python finds them, and link the compiled ones.
export function install({ FS, _module }, files, folder) {
  const folders = new Set(files.map(([path]) => `${folder}/${path}`.replace(/\/[^/]*$/, "")));
  for (const path of folders) FS.mkdirTree(path);
  for (const [path, data] of files) FS.writeFile(`${folder}/${path}`, data, { canOwn: true });
  // A module that Python loads by itself copies the 10,000 names of the library below it, and searches
  // all names for undefined ones. Here the first module brings the libraries, and only the last searches.
  const modules = files.map(([path]) => path).filter((path) => /\.cpython-[^/]*\.so$/.test(path));
  modules.forEach((path, k) => {
    const allowUndefined = k > 0 && k < modules.length - 1;
    _module.loadDynamicLibrary(`${folder}/${path}`, { global: true, nodelete: true, allowUndefined });
  });
}
