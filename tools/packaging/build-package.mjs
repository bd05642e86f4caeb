// Builds what a published package holds, in the package's folder: `node ../../tools/packaging/build-package.mjs`.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { finishEsModules } from './finish-es-modules.mjs';

const require = createRequire(import.meta.url);
const root = process.cwd();

/** Runs a tool of the repository's own, in the package's folder. */
function run(name, entry, ...words) {
  const path = join(dirname(require.resolve(`${name}/package.json`)), entry);
  execFileSync(process.execPath, [path, ...words], { cwd: root, stdio: 'inherit' });
}

const swc = ['src', '--strip-leading-paths', '--config-file', '../../.swcrc'];

rmSync(join(root, 'dist'), { recursive: true, force: true });
run('@swc/cli', 'bin/swc.js', ...swc, '-d', 'dist/cjs');
run('@swc/cli', 'bin/swc.js', ...swc, '-d', 'dist/esm', '-C', 'module.type=es6');
run('typescript-native', 'bin/tsc', '-p', 'tsconfig.build.json');
finishEsModules(join(root, 'dist/cjs'), join(root, 'dist/esm'));
