import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopLeftOver } from './stop-left-over';

describe('a PostgreSQL that a killed start left', () => {
  const children: ChildProcess[] = [];
  let folder: string;

  /** Runs until it is ended, with these further words on its command line. */
  async function runWith(...words: string[]): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', ...words]);
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'left-over-'))));
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  it('is stopped', async () => {
    const server = await runWith('-D', folder, '-p', '5432');
    await writeFile(join(folder, 'postmaster.pid'), `${server.pid}\n${folder}\n`);
    const ended = once(server, 'exit');
    await stopLeftOver(folder);
    expect(await ended).toEqual([null, 'SIGINT']);
  });

  it('is not taken for another process that has its number by now', async () => {
    const others = [await runWith(), await runWith('-D', join(folder, 'other'))];
    const ended = Promise.all(others.map((other) => once(other, 'exit')));
    for (const { pid } of others) {
      await writeFile(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n`);
      await stopLeftOver(folder);
    }
    for (const other of others) other.kill('SIGTERM');
    expect(await ended).toEqual([
      [null, 'SIGTERM'],
      [null, 'SIGTERM'],
    ]);
  });
});
