import { chmod, cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BundledPackage } from '../bundle/bundled-packages';
import { addLibraries, type DebianPackage } from './debian-packages';
import { addNode } from './node-binary';
import type { SoftwareLists } from './software-list';

/** The user that runs the program: not root, and without rights. */
const USER_ID = 1_000;
const USERS = `root:x:0:0:root:/:\npostrider:x:${USER_ID}:${USER_ID}:Postrider:/:\n`;
const GROUPS = `root:x:0:\npostrider:x:${USER_ID}:\n`;

/** The base of images: the folder of a new root, and its content besides the program. */
export interface Base {
  folder: string;
  libraries: DebianPackage[];
}

/**
 * Makes the root that all images share: Node.js, its libraries, and the user. There is no shell and no package manager.
 * @param downloads the folder that keeps Node.js from one run to the next
 */
export async function makeBase(downloads: string): Promise<Base> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-image-'));
  await chmod(folder, 0o755);
  const libraries = await addLibraries(folder);
  await addNode(folder, downloads);
  for (const path of ['etc', 'tmp', 'app']) await mkdir(join(folder, path), { recursive: true });
  await chmod(join(folder, 'tmp'), 0o1777);
  await writeFile(join(folder, 'etc', 'passwd'), USERS);
  await writeFile(join(folder, 'etc', 'group'), GROUPS);
  return { folder, libraries };
}

/**
 * Copies a bundle to where images have their program, with a list of all software beside it.
 *
 * @param app the name of the image
 * @param bundle the folder of the bundle
 * @param folder where the program goes
 */
export async function copyProgram(
  app: string,
  bundle: string,
  folder: string,
  { lists, libraries }: { lists: SoftwareLists; libraries: readonly DebianPackage[] },
): Promise<void> {
  await cp(bundle, folder, { recursive: true });
  const packages = JSON.parse(await readFile(join(bundle, 'packages.json'), 'utf8')) as BundledPackage[];
  await writeFile(join(folder, 'sbom.cdx.json'), lists.of(app, packages, libraries));
}
