// The first thing every command runs, with nothing installed yet: plain Node, no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** `npm ci`, on first use and whenever the lock file has changed since. */
function installWhatIsMissing() {
  const stamp = join(root, 'node_modules', '.postrider-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing packages (npm ci) …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'The packages could not be installed.');
  writeFileSync(stamp, wanted);
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
