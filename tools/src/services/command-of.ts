import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The command line of a process. A number that a file names may belong to another process by now: after a restart of the
 * machine or of a container, numbers begin again.
 *
 * @returns null if there is no such process, or nothing can be said about it
 */
export async function commandOf(pid: number): Promise<string | null> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (words !== null) return words.replaceAll('\0', ' ').trim() || null;
  if (process.platform === 'linux') return null;
  const printed = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => null);
  return printed?.stdout.trim() || null;
}
