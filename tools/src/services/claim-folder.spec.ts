import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder } from './claim-folder';
import { announceRunning } from './running';

describe('a folder of data', () => {
  const children: ChildProcess[] = [];
  let folder: string;

  async function startOther(): Promise<number> {
    const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', 'a start']);
    children.push(child);
    await once(child.stdout, 'data');
    return child.pid as number;
  }

  async function killOthers(): Promise<void> {
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'claim-'))));
  afterEach(async () => {
    await killOthers();
    await rm(folder, { recursive: true });
  });

  it('belongs to a start from its first moment, long before its addresses are known', async () => {
    const pid = await startOther();
    await claimFolder(folder, pid);
    await expect(claimFolder(folder)).rejects.toThrow(`process ${pid}, ${process.execPath}`);
  });

  it('belongs to one that runs, and the second start says at which address', async () => {
    const pid = await startOther();
    const services = { databaseUrl: 'postgres://db/x', redisUrl: 'redis://cache', gatewayUrl: 'http://127.0.0.1:3000' };
    await announceRunning(folder, { pid, ...services });
    await expect(claimFolder(folder)).rejects.toThrow(`on ${folder} (process ${pid}, http://127.0.0.1:3000)`);
  });

  it('says at which address the process that claimed it serves by now', async () => {
    const pid = await startOther();
    await claimFolder(folder, pid);
    const services = { databaseUrl: 'postgres://db/x', redisUrl: 'redis://cache', gatewayUrl: 'http://127.0.0.1:3000' };
    await announceRunning(folder, { pid, ...services });
    await expect(claimFolder(folder)).rejects.toThrow('http://127.0.0.1:3000');
  });

  it('is taken over from a start that was killed', async () => {
    await claimFolder(folder, await startOther());
    await killOthers();
    await claimFolder(folder);
    expect(await readdir(folder)).toEqual(['claim-2.json']);
  });

  it('is free again when it was given back', async () => {
    const giveBack = await claimFolder(folder, await startOther());
    await giveBack();
    await expect(claimFolder(folder)).resolves.toBeDefined();
  });

  it('gets one owner of several that take over together', async () => {
    await claimFolder(folder, await startOther());
    await killOthers();
    const pids = await Promise.all([startOther(), startOther(), startOther(), startOther(), startOther()]);
    const claims = await Promise.allSettled(pids.map((pid) => claimFolder(folder, pid)));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^claim-\d+\.json$/)]);
  });
});
