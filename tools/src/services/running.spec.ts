import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceRunning, findRunning } from './running';

describe('the services that run on a folder', () => {
  const addresses = { databaseUrl: 'postgres://db/x', redisUrl: 'redis://cache' };
  const children: ChildProcess[] = [];
  let folder: string;

  async function startOther(...words: string[]): Promise<number> {
    const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', ...words]);
    children.push(child);
    await once(child.stdout, 'data');
    return child.pid as number;
  }

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'running-'))));
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  it('are those of a process that announced itself and lives', async () => {
    const pid = await startOther();
    await announceRunning(folder, { pid, ...addresses });
    expect(await findRunning(folder)).toMatchObject({ pid, ...addresses });
    children[0]?.kill('SIGKILL');
    await once(children[0] as ChildProcess, 'exit');
    expect(await findRunning(folder)).toBeNull();
  });

  it('are none if another process has its number by now', async () => {
    await announceRunning(folder, { pid: await startOther('a start'), ...addresses });
    const file = join(folder, 'running.json');
    const announced = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...announced, pid: await startOther('something else') }));
    expect(await findRunning(folder)).toBeNull();
  });

  it('are none if a power cut left a file without its content', async () => {
    await writeFile(join(folder, 'running.json'), '');
    expect(await findRunning(folder)).toBeNull();
  });
});
