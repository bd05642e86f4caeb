import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Node trusts one file of extra authorities (`NODE_EXTRA_CA_CERTS`): ours holds the simulator's and whatever the caller
 * brought along.
 *
 * @returns the path of the bundle
 */
export async function bundleAuthorities(dataDir: string, simulatorCa: string): Promise<string> {
  const theirs = process.env.NODE_EXTRA_CA_CERTS ? await readFile(process.env.NODE_EXTRA_CA_CERTS, 'utf8') : '';
  const bundle = join(dataDir, 'authorities.pem');
  await writeFile(bundle, `${await readFile(simulatorCa, 'utf8')}\n${theirs}`);
  return bundle;
}
