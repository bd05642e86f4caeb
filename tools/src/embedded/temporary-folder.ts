import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for data that does not outlive the command. Everybody may enter it: a PostgreSQL that root starts runs as
 * another user and must reach its data there.
 */
export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `postrider-${purpose}-`));
  await chmod(folder, 0o755);
  return folder;
}
