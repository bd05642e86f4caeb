import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilTrue } from '@postrider/testing';
import { SupervisedProcess } from './supervised-process';

afterEach(() => jest.restoreAllMocks());

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

describe('a process that cannot be started', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'supervised-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is a failed start with its reason, and no end of the process that starts it', async () => {
    const node = join(folder, 'no-node');
    const app = { name: 'app', node, script: 'x.js', env: process.env, readyUrl: 'http://127.0.0.1:9/' };
    const started = new SupervisedProcess(app, folder);
    await expect(started.untilReady()).rejects.toThrow(/^app stopped \(spawn .*no-node ENOENT\)/);
    await started.stop();
  });
});

describe('a process whose log cannot be written', () => {
  let folder: string;
  let health: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'supervised-'));
    health = createServer((_request, response) => response.end());
    await new Promise<void>((listening) => health.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    health.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs on, and is logged again as soon as that is possible', async () => {
    const said = jest.spyOn(console, 'error').mockReturnValue();
    const script = join(folder, 'program.cjs');
    await writeFile(script, `setInterval(() => console.log('still here'), 20)`);
    const log = join(folder, 'app.log');
    // A folder is in the place of the file: it fails as a full disk does.
    await mkdir(log);
    const readyUrl = `http://127.0.0.1:${(health.address() as AddressInfo).port}/`;
    const started = new SupervisedProcess({ name: 'app', script, env: process.env, readyUrl }, folder);
    await started.untilReady();
    await untilTrue(() => said.mock.calls.length > 0);
    await rmdir(log);
    await untilTrue(async () => (await readFile(log, 'utf8').catch(() => '')).includes('still here'));
    await started.stop();
    expect(said.mock.calls).toEqual([[expect.stringContaining(`The log ${log} cannot be written: EISDIR`)]]);
  });
});

describe('a process that dies again and again after it was ready', () => {
  let folder: string;
  let health: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'supervised-'));
    health = createServer((_request, response) => response.end());
    await new Promise<void>((listening) => health.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    health.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is started again after longer and longer times, and at once after somebody killed it', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const script = join(folder, 'program.cjs');
    await writeFile(script, 'setInterval(() => {}, 1_000)');
    const delays: number[] = [];
    let restart = (): void => undefined;
    const later = (work: () => void, ms: number): void => {
      delays.push(ms);
      restart = work;
    };
    const readyUrl = `http://127.0.0.1:${(health.address() as AddressInfo).port}/`;
    const started = new SupervisedProcess({ name: 'app', script, env: process.env, readyUrl }, folder, later);
    await started.untilReady();
    for (let kill = 1; kill <= 3; kill++) {
      process.kill(started.pid ?? NaN, 'SIGKILL');
      await untilTrue(() => delays.length === kill);
      if (kill === 3) await writeFile(script, 'process.exit(1)');
      restart();
    }
    for (let crash = 4; crash <= 7; crash++) {
      await untilTrue(() => delays.length === crash);
      restart();
    }
    await started.stop();
    expect(delays).toEqual([500, 500, 500, 500, 1_000, 2_000, 4_000]);
  });
});
