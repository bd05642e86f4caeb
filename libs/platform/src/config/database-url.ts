import { accessSync, constants } from 'node:fs';
import { ConfigError } from './config-error';
import type { Reader } from './readers';

/** The content of `DATABASE_URL`. */
interface DatabaseAddress {
  /** One URL for each server, in their order, each with all other parts of the URL. */
  servers: readonly [string, ...string[]];
  /** True if a server that accepts no writes is skipped. */
  mustBeWritable: boolean;
  /** How long a connection may take to be made. */
  connectTimeoutMs: number;
}

const CONNECT_TIMEOUT_SECONDS = 5;

/** Scheme, user, servers, database, parameters: `URL` refuses a list of servers, so it is read by hand. */
const SHAPE = /^postgres(?:ql)?:\/\/([^/?#]*@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
/** A name, an IPv4 address, an IPv6 address in brackets or a socket's folder (percent-encoded), and a port. */
const SERVER = /^(?:\[[0-9a-f:.]+\]|[\w.~%-]+)(?::(\d{1,5}))?$/i;
const EXPECTED =
  'a URL (postgres://user:password@host[:port][,host2[:port]]/database[?target_session_attrs=read-write&connect_timeout=seconds], with special ' +
  'characters of user and password percent-encoded)';
/** Those of libpq, and `no-verify` of the driver. With any other text the driver uses TLS as with `verify-full`, and says nothing. */
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const WRITABLE = ['read-write', 'primary'];

/**
 * Reads `DATABASE_URL`. With several servers, or with `target_session_attrs` as in libpq, the writable server is used;
 * `connect_timeout` is in seconds, as in libpq.
 * @throws ConfigError that says what was expected, without the password of the URL
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [, login = '', servers = '', database = '', query = ''] = SHAPE.exec(text) ?? refuse(text);
  if (!isDecodable(`${login}${database}${query}`)) refuse(text);
  const { parameters, isAttributed, connectTimeoutMs } = readParameters(query, text);
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const [first, ...further] = servers.split(',').map((server) => {
    if (!isServer(server, servers === '' && parameters.has('host'))) refuse(text);
    return `postgres://${login}${server}${database}${rest}`;
  });
  const mustBeWritable = further.length > 0 || isAttributed;
  return { servers: [first ?? refuse(text), ...further], mustBeWritable, connectTimeoutMs };
}

/** The parameters for the driver, and what those that it does not know say. */
function readParameters(
  query: string,
  text: string,
): { parameters: URLSearchParams; isAttributed: boolean; connectTimeoutMs: number } {
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get('target_session_attrs');
  if (attributes !== null && !WRITABLE.includes(attributes)) refuse(text);
  parameters.delete('target_session_attrs');
  const mode = parameters.get('sslmode') || 'prefer';
  if (!TLS_MODES.includes(mode)) refuse(text, `sslmode to be one of ${TLS_MODES.join(', ')}`);
  const timeout = parameters.get('connect_timeout') ?? String(CONNECT_TIMEOUT_SECONDS);
  if (!/^[1-9]\d{0,3}$/.test(timeout)) refuse(text);
  parameters.delete('connect_timeout');
  return { parameters, isAttributed: attributes !== null, connectTimeoutMs: Number(timeout) * 1_000 };
}

/** Reads the text of a variable that is such a URL, and gives it as it is. */
export const databaseUrl: Reader<string> = (name, text) => {
  if (text === undefined) throw new ConfigError(name, EXPECTED, undefined);
  parseDatabaseUrl(text);
  for (const file of tlsFilesIn(text))
    if (!isReadable(file.path)) refuse(text, `${file.parameter} to be a file that can be read`);
  return text;
};

/** The driver reads them when it connects, so that a wrong name would look like a server that is away. */
function tlsFilesIn(text: string): { parameter: string; path: string }[] {
  const parameters = new URLSearchParams(SHAPE.exec(text)?.[4] ?? '');
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((parameter) => {
    const path = parameters.get(parameter);
    return path ? [{ parameter, path }] : [];
  });
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param isElsewhere true if the server is in a parameter instead, as a socket's folder may be */
function isServer(text: string, isElsewhere: boolean): boolean {
  const found = SERVER.exec(text);
  if (!found) return isElsewhere;
  const port = Number(found[1] ?? 5432);
  return port > 0 && port < 65_536;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function refuse(text: string, expected = EXPECTED): never {
  throw new ConfigError('DATABASE_URL', expected, text);
}
