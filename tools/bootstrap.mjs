// The first thing every command runs, with nothing installed yet: plain Node, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [command, ...words] = process.argv.slice(2);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Postrider needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
process.chdir(root);
installWhatIsMissing();
build();
// Without a command it only prepares what every command needs.
if (command === undefined) process.exit(0);
process.argv = [process.argv[0], join(root, 'tools', 'dist', command, 'main.js'), ...words];
await import(pathToFileURL(process.argv[1]).href);

/** `npm ci`, on first use and whenever the lock file has changed since the last installation. */
function installWhatIsMissing() {
  if (isInstalled()) return;
  console.error('Installing packages (npm ci) …');
  // The build needs packages of development, which npm leaves out with NODE_ENV=production.
  run(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    'The packages could not be installed.',
  );
}

/**
 * npm writes what it has installed into `node_modules`, when it is done with it. What is optional may be missing there: it is for
 * another platform.
 */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, integrity, optional }]) => {
      const found = installed[path];
      if (found === undefined) return path === '' || optional === true;
      return found.version === version && found.integrity === integrity;
    },
  );
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Compiles and bundles what has changed since the last build; Nx keeps the rest. */
function build() {
  console.error('Building …');
  const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const words = [nx, 'run-many', '-t', 'build', 'bundle', '--output-style=static', '--verbose=false'];
  const result = spawnSync(process.execPath, words, { encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' } });
  if (result.status === 0) return;
  console.error(result.stdout + result.stderr);
  console.error('The build failed: the lines above say where.');
  process.exit(1);
}

function run(program, programWords, complaint) {
  const result = spawnSync(program, programWords, { stdio: ['ignore', 2, 2] });
  if (result.status === 0) return;
  console.error(complaint);
  process.exit(1);
}
