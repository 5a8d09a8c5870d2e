// Compile the Python files of zip archives with the Python that will run them: that of Pyodide, under Node.
//
//     node studio_compile.mjs folder-of-pyodide/ in.zip out.zip [in.zip out.zip …]
//
// In the copies every module is bytecode, module.pyc instead of module.py, which Python imports without
// looking for a source.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const COMPILE = `
import _imp, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

with zipfile.ZipFile("in.zip") as given, zipfile.ZipFile("out.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for name in sorted(n for n in given.namelist() if not n.endswith("/")):
        data = given.read(name)
        if name.endswith(".py"):
            code = compile(data, name, "exec", dont_inherit=True, optimize=0)
            data = _code_to_hash_pyc(code, _imp.source_hash(_imp.pyc_magic_number_token, data), False)
            name += "c"
        entry = zipfile.ZipInfo(name) # the date is fixed, so that the same sources give the same archive
        entry.compress_type = zipfile.ZIP_DEFLATED
        out.writestr(entry, bytes(data))
`;

const [folder, ...paths] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: folder });
while (paths.length) {
  const [from, to] = paths.splice(0, 2);
  pyodide.FS.writeFile("in.zip", new Uint8Array(await readFile(from)));
  pyodide.runPython(COMPILE);
  await writeFile(to, pyodide.FS.readFile("out.zip"));
}
