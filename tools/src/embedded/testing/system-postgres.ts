import { execFile } from 'node:child_process';
import { accessSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port';
import { type EmbeddedPostgres, startPostgres } from '../postgres';
import { temporaryFolder } from '../temporary-folder';

const run = promisify(execFile);
/** The folder in which Debian installs each major version. */
const VERSIONS = '/usr/lib/postgresql';

const folder = findFolder();
if (folder === undefined)
  console.warn('No backup is made and restored: there is no PostgreSQL here (Debian package "postgresql").');

/** Tests that need the machine's own PostgreSQL: skipped without it, failed where `.ci/run` should have installed it. */
export const describeWithSystemPostgres: jest.Describe =
  folder !== undefined || process.env.REQUIRE_PROGRAMS === 'true' ? describe : describe.skip;

/** The machine's PostgreSQL, with the programs that the embedded one lacks: backups. */
export interface SystemPostgres extends EmbeddedPostgres {
  /** Makes an empty database. @returns its address */
  createDatabase(name: string): Promise<string>;
  /** `pg_dump` in its custom format, to a file. */
  dump(databaseUrl: string, file: string): Promise<void>;
  /** `pg_restore` of such a file into an empty database. */
  restore(file: string, databaseUrl: string): Promise<void>;
}

/** Starts it on a cluster of its own. */
export async function startSystemPostgres(): Promise<SystemPostgres> {
  if (folder === undefined) throw new Error(`There is no PostgreSQL under ${VERSIONS} (Debian package "postgresql").`);
  const program = (name: string): string => join(folder, name);
  const server = await startPostgres({
    dataDir: join(await temporaryFolder('system-postgres'), 'data'),
    port: await freePort(),
    password: 'test',
    settings: { fsync: 'off', max_connections: 200 },
    programs: { postgres: program('postgres'), initdb: program('initdb') },
  });
  return {
    ...server,
    createDatabase: (name) => createDatabase(server.url, name),
    dump: async (databaseUrl, file) => {
      await run(program('pg_dump'), ['--format=custom', `--file=${file}`, databaseUrl]);
    },
    restore: async (file, databaseUrl) => {
      await run(program('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${databaseUrl}`, file]);
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

/** The newest version's programs. */
function findFolder(): string | undefined {
  try {
    const versions = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one));
    return versions.map((version) => join(VERSIONS, version, 'bin')).find(isComplete);
  } catch {
    return undefined;
  }
}

function isComplete(bin: string): boolean {
  try {
    for (const program of ['postgres', 'initdb', 'pg_dump', 'pg_restore']) accessSync(join(bin, program));
    return true;
  } catch {
    return false;
  }
}
