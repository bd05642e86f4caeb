import { migrateDatabase } from '../services/migrate-database';
import { resealDatabase } from '../services/reseal-database';

/**
 * Runs the migrations that a database lacks, seals its secrets again if the key was changed, and says what it did.
 * @param secretKey the key if `SECRET_KEY` is not set
 */
export async function bringUpToDate(databaseUrl: string, secretKey?: string): Promise<void> {
  const ran = await migrateDatabase(databaseUrl);
  console.log(ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.length} migration(s): ${ran.join(', ')}`);
  const resealed = await resealDatabase(databaseUrl, process.env, secretKey);
  if (resealed !== null) console.log(resealed);
}

/**
 * Refuses words that would mean nothing: who asks for `--dry-run` or `--help` must not get the migrations.
 * @throws Error that names them
 */
export function expectNoArguments(words: readonly string[] = process.argv.slice(2)): void {
  if (words.length > 0) throw new Error(`Migrations take no arguments, and none was run: ${words.join(' ')}`);
}
