import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** The function that Node.js makes of a file. */
type Run = (...parameters: unknown[]) => unknown;

/** The parts of Node.js that its types lack. */
interface Loader {
  enableCompileCache?: (folder: string) => void;
  prototype: { _compile(this: { run?: Run }, text: string, file: string): unknown };
}

const START = '(function (exports, require, module, __filename, __dirname) {';
/** The text that Node.js itself compiles in place of the program. */
const BEGIN = 'return module.run.call(this, exports, require, module, __filename, __dirname);';
const HASH_BYTES = 32;
const loader = Module as unknown as Loader;
const folder = process.env.COMPILED_PROGRAMS;

/**
 * Loaded into a process before its program (`node --require`): stores V8's compiled code of the program in the folder
 * `COMPILED_PROGRAMS`, for the next process of it. Compiling the ten megabytes of a bundle is half of the time that its
 * start takes.
 * Node.js does this itself from 22.1 on. Before, it is done here. V8 accepts only code that it made itself, from a text
 * of the same length, in the same version and with the same flags; this file compares the text. A program that was
 * stored like this cannot `import()`: a bundle does not (`tools/src/bundle/bundle-program.ts`).
 */
if (folder !== undefined) {
  if (loader.enableCompileCache) loader.enableCompileCache(folder);
  else keepProgram(folder);
}

function keepProgram(to: string): void {
  const { _compile } = loader.prototype;
  loader.prototype._compile = function (text, file) {
    loader.prototype._compile = _compile;
    this.run = compile(text, file, to);
    // Node.js finds a file's map by the comment at its end; the map shows where in the sources an error was thrown.
    const map = /\n\/\/# sourceMappingURL=.+\s*$/.exec(text.slice(-500))?.[0] ?? '';
    return _compile.call(this, BEGIN + map, file);
  };
}

/**
 * @returns the function that Node.js makes of a program: from the folder `to`, or compiled, and stored there when the
 * process ends
 */
function compile(text: string, file: string, to: string): Run {
  const hash = createHash('sha256').update(text).digest();
  // `apps/gateway/bundle/main.js` is the gateway's.
  const place = join(to, `${basename(dirname(dirname(file)))}-${cachedDataVersionTag()}`);
  const cachedData = readKept(place, hash);
  const script = new Script(`${START}${text}\n})`, {
    filename: file,
    columnOffset: -START.length,
    cachedData,
  });
  if (cachedData === undefined || script.cachedDataRejected === true) keepAtExit(script, place, hash);
  return script.runInThisContext() as Run;
}

/**
 * Stores the code of a program after its run, since only then the functions that it calls are compiled too. V8 throws away the code of
 * functions that were not called through some collections of garbage: those of the start, in a process that serves for long. It
 * must not, in the one process that stores them: others would start with half of the code.
 */
function keepAtExit(script: Script, place: string, hash: Buffer): void {
  setFlagsFromString('--no-flush-bytecode');
  process.once('exit', () => {
    // Otherwise the code would be that of a process with other flags.
    setFlagsFromString('--flush-bytecode');
    keep(place, Buffer.concat([hash, script.createCachedData()]));
  });
}

/** @returns the stored code of a text with this hash; undefined: there is none */
function readKept(place: string, hash: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(place);
    return kept.subarray(0, HASH_BYTES).equals(hash) ? kept.subarray(HASH_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Another process may read the file meanwhile, so it is complete or does not exist. If the folder cannot be written,
 * nothing is stored.
 */
function keep(place: string, data: Buffer): void {
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(`${place}.${process.pid}`, data);
    renameSync(`${place}.${process.pid}`, place);
  } catch {
    return;
  }
}
