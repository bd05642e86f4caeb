import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '@postrider/platform';

/**
 * Makes the folder that `DATA_DIR` names, or `.data`.
 *
 * @throws ConfigError when that cannot be written
 */
export async function prepareDataDir(): Promise<string> {
  const name = process.env.DATA_DIR || '.data';
  const folder = resolve(name);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new ConfigError('DATA_DIR', `a folder that can be written (${code})`, name);
  }
  return folder;
}
