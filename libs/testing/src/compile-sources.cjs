// Jest transforms only the files that it loads itself: a process that a spec starts must compile its sources. It keeps
// the results.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const root = join(__dirname, '../../..');
const kept = join(root, '.cache/compiled-sources');
const config = readFileSync(join(root, '.swcrc'), 'utf8');
mkdirSync(kept, { recursive: true });

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const file = join(kept, `${createHash('sha256').update(config).update(source).digest('hex')}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { jsc, module: modules } = JSON.parse(config);
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { filename, swcrc: false, jsc, module: modules });
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
    return code;
  }
}

Module._extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [, lib] = /^@postrider\/([\w-]+)$/.exec(request) ?? [];
  return resolve.call(Module, lib === undefined ? request : join(root, 'libs', lib, 'src/index.ts'), ...rest);
};
