import { createDataSource, type ResealReport, SealedValuesRepository } from '@postrider/persistence';
import { ConfigError, readVariable, Secret, SecretBox } from '@postrider/platform';

/**
 * Seals values that were stored under `SECRET_KEY_PREVIOUS` again under `SECRET_KEY`, if the former is set.
 * @param fallback the key if `SECRET_KEY` is not set: that of `npm start`
 * @returns a text for a person; null if there is no former key
 * @throws ConfigError if a stored value opens under neither key, after all others are done
 */
export async function resealDatabase(
  databaseUrl: string,
  env: NodeJS.ProcessEnv = process.env,
  fallback?: string,
): Promise<string | null> {
  const previous = readVariable('SECRET_KEY_PREVIOUS', env);
  if (previous === undefined) return null;
  const secretKey = readVariable('SECRET_KEY', env.SECRET_KEY ? env : { ...env, SECRET_KEY: fallback });
  const dataSource = await createDataSource(new Secret(databaseUrl), 2, { applicationName: 'migrate' }).initialize();
  try {
    return summaryOf(
      await new SealedValuesRepository(dataSource).reseal(new SecretBox(new Secret(secretKey), new Secret(previous))),
    );
  } finally {
    await dataSource.destroy();
  }
}

function summaryOf({ resealed, unopened }: ResealReport): string {
  const done = Object.entries(resealed).map(([name, count]) => `${count} ${name}`);
  const [first] = unopened;
  if (first === undefined) return `Sealed anew under SECRET_KEY: ${done.join(', ')}.`;
  const count = unopened.length === 1 ? 'a stored value' : `${unopened.length} stored values`;
  throw new ConfigError(
    'SECRET_KEY',
    `the key of ${count} that neither it nor SECRET_KEY_PREVIOUS opens (first: ${first})`,
    '***',
  );
}
