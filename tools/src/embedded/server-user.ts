import { execFile } from 'node:child_process';
import { cp, mkdir, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The uid and gid a server process runs under; empty when the caller's own will do. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * PostgreSQL refuses to run as root, so root lends it another user: `postgres` where it exists, else `nobody`.
 *
 * @returns an empty object when the caller is not root
 */
export async function findServerUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      continue;
    }
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has neither a user "postgres" nor "nobody"');
}

/** Whether everybody may walk down to `path`: a server under another user must reach its programs and its data. */
export async function isReachableByOthers(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const { mode } = await stat(at).catch(() => ({ mode: 0o777 }));
    if ((mode & 0o001) === 0) return false;
    if (at === parse(at).root) return true;
  }
}

/** A folder outside `path`'s private parents that stands for it, the same on every start. */
export function publicTwinOf(path: string): string {
  return join('/var/tmp', `postrider-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/** Copies a folder to where everybody can read it, once. */
export async function copyOnce(from: string, to: string): Promise<void> {
  const done = await stat(join(to, '.complete')).catch(() => null);
  if (done) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, force: true });
  await mkdir(join(to, '.complete'), { recursive: true });
}
