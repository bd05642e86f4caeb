import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The Node.js of the images: a release that is supported until April 2028. */
export const NODE_VERSION = '24.21.0';

/** The folder for downloads, in the workspace. */
export const NODE_DOWNLOADS = '.cache/node';

/** The digests of npm's packages of that release, by processor. */
const DIGESTS: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/**
 * Puts the binary of Node.js for this processor at `usr/local/bin/node`. It comes from npm, and stays in `downloads`.
 *
 * @param folder the root that it goes to
 * @throws Error when npm gives something else than was released
 */
export async function addNode(folder: string, downloads: string): Promise<void> {
  const digest = DIGESTS[process.arch];
  if (digest === undefined) throw new Error(`There is no image for the processor ${process.arch}.`);
  const name = `node-linux-${process.arch}`;
  const archive = join(downloads, `${name}-${NODE_VERSION}.tgz`);
  await mkdir(downloads, { recursive: true });
  if (!existsSync(archive)) {
    execFileSync('npm', ['pack', `${name}@${NODE_VERSION}`, '--silent', '--pack-destination', downloads], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const found = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${found}` !== digest) throw new Error(`${archive} is not ${name} ${NODE_VERSION}: remove it.`);
  const target = join(folder, 'usr', 'local', 'bin');
  await mkdir(target, { recursive: true });
  const words = ['--no-same-owner', '--strip-components', '2', 'package/bin/node'];
  execFileSync('tar', ['-xzf', archive, '-C', target, ...words]);
}

/**
 * The Node.js of the images, for processes on this machine. It is unpacked once and stays in `downloads`.
 *
 * @returns the path of the binary; null where there is none for this system
 * @throws Error when npm gives none, or something else than was released
 */
export async function findNodeOfImages(downloads: string): Promise<string | null> {
  if (process.platform !== 'linux' || DIGESTS[process.arch] === undefined) return null;
  const folder = resolve(downloads, `node-${NODE_VERSION}-${process.arch}`);
  const binary = join(folder, 'usr', 'local', 'bin', 'node');
  if (existsSync(binary)) return binary;
  await mkdir(downloads, { recursive: true });
  const unpacked = await mkdtemp(join(downloads, 'unpacking-'));
  try {
    await addNode(unpacked, downloads);
    await rename(unpacked, folder);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
  return binary;
}
