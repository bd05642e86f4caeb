import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The packages of the peer, as npm names them. */
const PACKAGES = { 'parse-server': '9.10.0', '@parse/push-adapter': '8.5.5' };

/** Beside the caches of other tools; `npm ci` removes it, and the next run installs again. */
const FOLDER = join('node_modules', '.cache', 'bench-peer');

/**
 * Installs Parse Server and its push adapter into a folder of their own, once for each choice of versions. They are not
 * dependencies of Postrider. No install script runs.
 * @returns the folder with their `node_modules`
 * @throws npm's error if it cannot install them
 */
export async function installPeer(progress: (line: string) => void): Promise<string> {
  const wanted = JSON.stringify({ private: true, dependencies: PACKAGES });
  const folder = resolve(FOLDER);
  const stamp = join(folder, 'installed');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return folder;
  progress('installing Parse Server and its push adapter (npm)');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), wanted);
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', words, { cwd: folder });
  await writeFile(stamp, wanted);
  return folder;
}

/** `Parse Server 9.10.0 with its push adapter 8.5.5`. */
export const PEER = `Parse Server ${PACKAGES['parse-server']} with its push adapter ${PACKAGES['@parse/push-adapter']}`;
