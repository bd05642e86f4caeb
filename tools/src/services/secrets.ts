import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets that a first start draws and every later one finds again. */
export interface Secrets {
  adminToken: string;
  secretKey: string;
  databasePassword: string;
}

/** Reads `<dataDir>/secrets.json`, or draws the secrets and writes it, readable by its owner only. */
export async function obtainSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return JSON.parse(text) as Secrets;
  const draw = (): string => randomBytes(32).toString('base64url');
  const secrets: Secrets = { adminToken: draw(), secretKey: draw(), databasePassword: draw() };
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
