import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readlink, rename, stat, symlink } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';

/** Where every user may enter and make folders, and what is kept over a restart of the machine. */
const PUBLIC_FOLDER = '/var/tmp';

/** True if every user may reach `path`: a server under another user must reach its programs and its data. */
export async function isReachableByOthers(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const { mode } = await stat(at).catch(() => ({ mode: 0o777 }));
    if ((mode & 0o001) === 0) return false;
    if (at === parse(at).root) return true;
  }
}

/** Makes a folder that everybody may enter, under a name that nobody knew before. */
export async function newPublicFolder(): Promise<string> {
  const made = await mkdtemp(join(PUBLIC_FOLDER, 'postrider-'));
  await chmod(made, 0o755);
  return made;
}

/**
 * Returns the folder outside `path`'s private parents that earlier versions put in its place. Everybody can foretell its name, so
 * use it only after `expectOurs`.
 */
export function publicTwinOf(path: string): string {
  return join(PUBLIC_FOLDER, `postrider-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/**
 * Checks a folder that another user may have made under the same name: before we made it, or after it was cleaned
 * away.
 *
 * @throws if another user made it or may write to it
 */
export async function expectOurs(folder: string): Promise<void> {
  if (dirname(folder) !== PUBLIC_FOLDER || (await isOurs(folder))) return;
  throw new Error(
    `Another user of this machine made ${folder} or may write to it. Look at what is there, and remove it.`,
  );
}

/**
 * Copies a folder to where every user can read it, once.
 *
 * @param link where the place of the copy is kept: a path that changes with the contents of `from`
 */
export async function publicCopyOf(from: string, link: string): Promise<string> {
  const known = await readlink(link).catch(() => null);
  if (known !== null && (await isOurs(dirname(known)))) return known;
  const copy = join(await newPublicFolder(), 'native');
  await cp(from, copy, { recursive: true, verbatimSymlinks: true });
  // The link is made last, so that it never leads to half a copy.
  await mkdir(dirname(link), { recursive: true });
  const unfinished = `${link}.${randomUUID()}`;
  await symlink(copy, unfinished);
  await rename(unfinished, link);
  return copy;
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
