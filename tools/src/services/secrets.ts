import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOnce } from './write-whole';

/** The secrets that a first start draws and every later one finds again. */
export interface Secrets {
  adminToken: string;
  secretKey: string;
  databasePassword: string;
}

/**
 * Reads `<dataDir>/secrets.json`, or draws the secrets and writes it, readable by its owner only. Commands that begin
 * together get the same secrets.
 *
 * @throws if the file exists but cannot be read: what is sealed in the database opens with no other secrets
 */
export async function obtainSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  return (await readSecrets(file)) ?? (await drawSecrets(dataDir, file));
}

async function readSecrets(file: string): Promise<Secrets | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function drawSecrets(dataDir: string, file: string): Promise<Secrets> {
  const draw = (): string => randomBytes(32).toString('base64url');
  const secrets: Secrets = { adminToken: draw(), secretKey: draw(), databasePassword: draw() };
  await mkdir(dataDir, { recursive: true });
  try {
    await writeOnce(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return JSON.parse(await readFile(file, 'utf8')) as Secrets;
    throw error;
  }
}
