import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedProcess } from './supervised-process';

describe('a process that ends before it is ready', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'supervised-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function start(program: string): Promise<SupervisedProcess> {
    const script = join(folder, 'program.cjs');
    await writeFile(script, program);
    // Nothing listens on this port.
    return new SupervisedProcess({ name: 'app', script, env: process.env, readyUrl: 'http://127.0.0.1:9/' }, folder);
  }

  it.each([
    ['by itself', 'process.exit(3)', 'exit code 3'],
    ['by a signal', `process.kill(process.pid, 'SIGKILL')`, 'SIGKILL'],
  ])('%s is noticed at once', async (_, end, how) => {
    const started = await start(end);
    await expect(started.untilReady()).rejects.toThrow(`app stopped (${how})`);
  });
});
