import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailure, EXIT } from '../terminal/failure';

/** The address of a Postrider, and the caller's token. */
export interface Profile {
  url?: string;
  token?: string;
  adminToken?: string;
  app?: string;
}

/** The file with the profiles. */
export interface Profiles {
  /** The profile of commands that name none. */
  current?: string;
  profiles: Record<string, Profile>;
}

const NAME = /^[\w.-]{1,64}$/;
const FIELDS = ['url', 'token', 'adminToken', 'app'] as const;
/** Rights of the group and of others. */
const OTHERS = 0o077;

/**
 * Reads the profiles: none if there is no file.
 * @throws CommandFailure if others may read the file, which holds tokens, or if it is not one that this program wrote
 */
export async function readProfiles(path: string): Promise<Profiles> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CommandFailure(`The profiles cannot be read: ${message}`);
  });
  if (handle === null) return { profiles: named([]) };
  try {
    // Checks the open file, so that it cannot be exchanged in between.
    refuseWideRights(path, await handle.stat());
    return parse(path, await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}

/** Profiles by name. They inherit nothing, so `constructor` is no profile unless somebody calls one so. */
function named(read: (readonly [string, Profile])[]): Record<string, Profile> {
  return Object.assign(Object.create(null), Object.fromEntries(read)) as Record<string, Profile>;
}

/** Returns the problem with the rights of the file, or null. */
export async function rightsProblem(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : problemOf(path, found);
}

/**
 * Changes the profiles, and writes them as a whole, readable to their owner alone. Commands that do so at the same time take
 * turns.
 *
 * @param change makes the new profiles of those that are in the file
 * @throws CommandFailure as `readProfiles`, or if another command does not end its change
 */
export async function changeProfiles(path: string, change: (profiles: Profiles) => Profiles): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The next file is the lock too: nobody else can make it before it has become the file of the profiles.
  const next = `${path}.lock`;
  const handle = await createAlone(next);
  try {
    try {
      const profiles = change(await readProfiles(path));
      await handle.chmod(0o600);
      await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** A change takes milliseconds. */
const LOCKED_FOR_MS = 2_000;
const ASK_AGAIN_MS = 20;

/** Makes a file that nobody else has made, as soon as there is none. @throws CommandFailure if there goes on to be one */
async function createAlone(path: string): Promise<FileHandle> {
  for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (waitedMs >= LOCKED_FOR_MS) {
        const hint = `If none runs, one was killed: rm '${path}'`;
        throw new CommandFailure('Another command is changing the profiles', EXIT.unavailable, hint);
      }
      await delay(ASK_AGAIN_MS);
    }
  }
}

/** @throws CommandFailure unless it can name a profile */
export function checkProfileName(name: string): string {
  if (NAME.test(name) && name !== '__proto__') return name;
  throw new CommandFailure('The name of a profile has 1 to 64 letters, digits, dots, dashes and underscores');
}

/** A page of the panel, as a browser shows its address. */
const PANEL_PAGE = /^(.*)\/panel(?:\/.*)?$/;

/** @throws CommandFailure unless it can be the address of a gateway */
export function checkAddress(url: string): void {
  const { protocol, origin, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '', pathname: '' };
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new CommandFailure(
      `${url} is not the address of a gateway`,
      undefined,
      'It begins with http:// or https://.',
    );
  }
  const before = PANEL_PAGE.exec(pathname)?.[1];
  if (before === undefined) return;
  throw new CommandFailure(`${url} is the address of the panel`, undefined, `The gateway is ${origin}${before}.`);
}

/** A header takes these only. */
const TOKEN = /^[\x21-\x7e]+$/;

/** @throws CommandFailure if a token can be none: a line break comes along when it is copied or read from a file */
export function checkTokens({ token, adminToken }: Profile): void {
  const sent = [
    ['The token', token],
    ['The admin token', adminToken],
  ] as const;
  for (const [name, value] of sent) {
    if (value === undefined || TOKEN.test(value)) continue;
    throw new CommandFailure(`${name} holds a blank, a line break or another character that no token has`);
  }
}

function refuseWideRights(path: string, found: { mode: number; uid: number }): void {
  const problem = problemOf(path, found);
  if (problem !== null) throw new CommandFailure(problem, undefined, `chmod 600 '${path}' makes it yours alone.`);
}

function problemOf(path: string, { mode, uid }: { mode: number; uid: number }): string | null {
  if (process.platform === 'win32') return null;
  if ((mode & OTHERS) !== 0) {
    return `Others may read or write ${path} (mode ${(mode & 0o777).toString(8)}), and it holds tokens`;
  }
  return uid === process.getuid?.() ? null : `${path} belongs to another user`;
}

function parse(path: string, text: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    if (current !== undefined && typeof current !== 'string') throw new Error('current');
    const read = Object.entries(profiles).map(
      ([name, profile]) => [checkProfileName(name), fieldsOf(profile)] as const,
    );
    return { ...(current === undefined ? {} : { current }), profiles: named(read) };
  } catch {
    throw new CommandFailure(`${path} is not a file of profiles: repair it, or remove it`);
  }
}

function fieldsOf(profile: Profile): Profile {
  const entries = FIELDS.filter((field) => profile[field] !== undefined).map((field) => [field, profile[field]]);
  if (entries.some(([, value]) => typeof value !== 'string')) throw new Error('a field is no text');
  return Object.fromEntries(entries) as Profile;
}
