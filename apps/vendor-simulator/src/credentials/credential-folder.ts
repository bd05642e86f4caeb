import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimulatorCredentials, SimulatorSecrets } from './credentials';
import { makeSecrets } from './make-secrets';

/**
 * Returns the folder's secrets; makes and stores them (`secrets.json`) if there are none.
 * @throws if the file exists but cannot be read: new secrets would not match the credentials that were given out before
 */
export async function secretsOf(folder: string): Promise<SimulatorSecrets> {
  const file = join(folder, 'secrets.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return JSON.parse(text) as SimulatorSecrets;
  const secrets = makeSecrets();
  await keep(folder, 'secrets.json', secrets);
  return secrets;
}

/** Writes `credentials.json`: for each vendor, a body that the admin API takes as it is. */
export async function writeCredentials(folder: string, credentials: SimulatorCredentials): Promise<void> {
  await keep(folder, 'credentials.json', credentials);
}

/** Writes beside and renames, so that a process killed here leaves no half a file. */
async function keep(folder: string, name: string, content: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `.${name}.${process.pid}`);
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, join(folder, name));
}
