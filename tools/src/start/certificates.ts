import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@postrider/platform';

/**
 * Node trusts one file of extra authorities (`NODE_EXTRA_CA_CERTS`): ours holds the simulator's and the caller's own.
 * @returns the path of the bundle
 * @throws ConfigError if the caller's file cannot be read
 */
export async function bundleAuthorities(dataDir: string, simulatorCa: string): Promise<string> {
  const theirs = await readTheirs();
  const bundle = join(dataDir, 'authorities.pem');
  await writeFile(bundle, `${await readFile(simulatorCa, 'utf8')}\n${theirs}`);
  return bundle;
}

async function readTheirs(): Promise<string> {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  if (!path) return '';
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new ConfigError('NODE_EXTRA_CA_CERTS', `a file of certificates that can be read (${code})`, path);
  }
}
