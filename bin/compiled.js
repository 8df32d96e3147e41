/**
 * Keeps the compiled code of the bundle, so that only the first start compiles it. Node 22 and newer do so themselves; on Node
 * 20 each file of the bundle has a file of V8's cached data. [cli, Start]
 */
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { homedir } = require('node:os');
const { join, sep } = require('node:path');

/** A long-running command writes what is compiled by then: later, V8 forgets what it does not use any more. */
const WRITE_AFTER_MS = 3_000;

/** Compiled code in the folder of a user is removed at this age, when other is written. */
const UNUSED_MS = 30 * 24 * 3_600_000;

/** Must be called before the bundle is loaded. */
function keepCompiledCode(bundle) {
  if (process.env.SANDBOX_NO_CACHE === '1' || process.env.NODE_DISABLE_COMPILE_CACHE === '1') return;
  const folder = privateFolder(join(bundle, 'compiled')) ?? folderOfUser();
  if (folder === null) return;
  const write = Module.enableCompileCache === undefined ? keepCachedData(bundle, folder) : keepByNode(folder);
  setTimeout(() => undisturbed(write), WRITE_AFTER_MS).unref();
}

/** Without kept code the command is slower, and nothing else: whatever fails here is no failure of the command. */
function undisturbed(write) {
  try {
    write();
  } catch {
    // The next start tries again.
  }
}

/** Returns the function that writes what was compiled; at its end Node does so by itself. */
function keepByNode(folder) {
  Module.enableCompileCache(folder);
  return () => {
    removeUnused(folder);
    // Node 22.1 to 22.9 write at the end only.
    Module.flushCompileCache?.();
  };
}

const IMPORT = /\bimport *\("\.\//;

/** The same for Node 20, by the loader of CommonJS modules. */
function keepCachedData(bundle, folder) {
  const vm = require('node:vm');
  // V8 rejects the code of another version, or with other options. Each has a folder, so that they do not replace each other.
  const kept = join(
    folder,
    `${process.version}-${process.arch}-${require('node:v8').cachedDataVersionTag().toString(16)}`,
  );
  const inBundle = bundle + sep;
  const compiled = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename) {
    // The `import()` of an ES module, which the terminal library is, does not work in code that comes from cached data.
    const isKept = filename.startsWith(inBundle) && !IMPORT.test(content);
    if (!isKept) return compile.call(this, content, filename);
    const file = join(kept, hashOf(content).toString('hex'));
    const cachedData = undamaged(file);
    const script = new vm.Script(Module.wrap(content), { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected) compiled.set(file, script);
    const require = Object.assign((name) => this.require(name), { cache: Module._cache, main: process.mainModule });
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, bundle);
  };
  const write = () => {
    if (compiled.size === 0) return;
    if (privateFolder(kept) !== null) {
      removeUnused(folder);
      for (const [file, script] of compiled) writeWhole(file, script.createCachedData());
    }
    compiled.clear();
  };
  process.once('exit', () => undisturbed(write));
  return write;
}

/** Node 22 does without it. */
const hashOf = (data) => require('node:crypto').createHash('sha256').update(data).digest();

/** The data without its hash; undefined for a missing or a damaged file. V8 does not check it: damaged code would run. */
function undamaged(file) {
  try {
    const bytes = fs.readFileSync(file);
    const data = bytes.subarray(32);
    return hashOf(data).equals(bytes.subarray(0, 32)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may read or write the file at the same time. A full disk is no failure of the command. */
function writeWhole(file, data) {
  const made = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(made, Buffer.concat([hashOf(data), data]), { mode: 0o600 });
    fs.renameSync(made, file);
  } catch {
    undisturbed(() => fs.rmSync(made, { force: true }));
  }
}

/** The folder is made where it is missing. Null: it cannot be written, or others could write to it, whose code would run. */
function privateFolder(path) {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') return null;
  }
  try {
    const stat = fs.lstatSync(path);
    // Windows has no owners here; the folders of a user are private there.
    const isPrivate = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    if (!stat.isDirectory() || !isPrivate) return null;
    fs.accessSync(path, fs.constants.W_OK);
    return path;
  } catch {
    return null;
  }
}

/** Null for a user without a folder, such as a service. */
function folderOfUser() {
  try {
    const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
    const home = homedir();
    // Not made for somebody who has none.
    if (!fs.statSync(home).isDirectory()) return null;
    const caches =
      process.platform === 'win32'
        ? (LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
        : process.platform === 'darwin'
          ? join(home, 'Library', 'Caches')
          : XDG_CACHE_HOME || join(home, '.cache');
    fs.mkdirSync(caches, { recursive: true, mode: 0o700 });
    return privateFolder(join(caches, 'muster-sandbox'));
  } catch {
    return null;
  }
}

/** What earlier versions of the package, of Node or of a clone have left. Other processes write and rename there meanwhile. */
function removeUnused(folder) {
  const before = Date.now() - UNUSED_MS;
  const entriesOf = (path) => {
    try {
      return fs.readdirSync(path, { withFileTypes: true });
    } catch {
      // It is gone, or somebody else's.
      return [];
    }
  };
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnused(path);
    else if (entry.isFile())
      undisturbed(() => {
        const stat = fs.statSync(path, { throwIfNoEntry: false });
        if (stat !== undefined && stat.mtimeMs < before) fs.rmSync(path, { force: true });
      });
  }
}

module.exports = { keepCompiledCode };
