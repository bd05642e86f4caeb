import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endWithUs } from '../end-with-us';
import { freePort } from '../free-port';
import { findServerUser } from '../postgres';
import { temporaryFolder } from '../temporary-folder';

const isThere = spawnSync('pgbouncer', ['--version']).status === 0;
if (!isThere) console.warn('Nothing goes through a pooler: there is no pgbouncer here (Debian package "pgbouncer").');

/** Tests that need PgBouncer: skipped on a machine without it, failed where `.ci/run` should have installed it. */
export const describeWithPgBouncer: jest.Describe =
  isThere || process.env.REQUIRE_PROGRAMS === 'true' ? describe : describe.skip;

/** A PgBouncer of ours, listening on loopback. */
export interface PgBouncer {
  /** The database's address through it. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer before the database at `databaseUrl`.
 *
 * @param mode when a connection to the server serves another client
 * @param connections how many there are to the server
 */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
  connections: number,
): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const own = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: connections,
    max_client_conn: 500,
  };
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const text = ['[databases]', `${pathname.slice(1)} = ${server}`, '[pgbouncer]', ...lines, ''].join('\n');
  const file = join(await temporaryFolder('pgbouncer'), 'pgbouncer.ini');
  await writeFile(file, text, { mode: 0o600 });
  const user = await findServerUser();
  if (user.uid !== undefined && user.gid !== undefined) await chown(file, user.uid, user.gid);
  const child = spawn('pgbouncer', ['-q', file], {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
  });
  if (child.pid !== undefined) endWithUs(child, 'SIGTERM');
  await untilListening(child, own);
  const url = new URL(databaseUrl);
  url.port = String(own);
  return { url: url.toString(), stop: () => stop(child) };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  let end: Error | undefined;
  child.once('error', (error) => (end = error));
  child.once('exit', () => (end ??= new Error(`pgbouncer stopped at its start: ${output.trim()}`)));
  for (;;) {
    if (end !== undefined) throw end;
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((answer) => {
      socket.once('connect', () => answer(true)).once('error', () => answer(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((later) => setTimeout(later, 20));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await gone;
}
