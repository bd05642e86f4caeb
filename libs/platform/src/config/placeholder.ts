import { ConfigError } from './config-error';

/** What examples of deployments put where a secret belongs. */
const PLACEHOLDER = /change[-_ ]?me/i;
const PASSWORD = /:\/\/[^/:@]*:(.*)@/;

/** The variables that hold a secret, and where in their text it stands. */
const SECRETS: Readonly<Record<string, (text: string) => string | undefined>> = {
  ADMIN_TOKEN: (text) => text,
  SECRET_KEY: (text) => text,
  DATABASE_URL: (text) => PASSWORD.exec(text)?.[1],
  REDIS_URL: (text) => PASSWORD.exec(text)?.[1],
};

/**
 * Refuses a secret that everybody knows, because it stands in an example. (`SECRET_KEY_PREVIOUS` may be one: it is on its way out.)
 *
 * @throws ConfigError
 */
export function refusePlaceholder(name: string, text: string | undefined): void {
  const secret = text === undefined ? undefined : SECRETS[name]?.(text);
  if (secret === undefined || !PLACEHOLDER.test(secret)) return;
  throw new ConfigError(name, 'a secret of your own where "change-me" stands', text);
}
