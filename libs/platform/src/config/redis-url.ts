import { ConfigError } from './config-error';
import type { Reader } from './readers';

/** A host and its port. */
interface HostAndPort {
  host: string;
  port: number;
}

/** The content of `REDIS_URL`. */
export interface RedisAddress {
  form: 'single' | 'sentinel' | 'cluster';
  /** The server, the sentinels or the cluster's first nodes. */
  hosts: HostAndPort[];
  /** Sentinel: the name of the master. */
  master?: string;
  tls: boolean;
  username?: string;
  password?: string;
  db: number;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const EXPECTED =
  'a URL (redis://[[user]:password@]host[:port][/db], redis+sentinel://[:password@]host:port,host2:port/<master>[/db] or ' +
  'redis+cluster://host:port,host2:port with rediss… for TLS)';

/** Scheme, credentials, hosts, path: `URL` refuses a list of hosts, so it is read by hand. */
const SHAPE = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?@]+)(?:\/([^?]*))?$/;

/**
 * Reads `REDIS_URL` in any of its forms.
 *
 * @throws ConfigError that names what was expected, without the password that may stand in the URL
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, scheme, kind = 'single', credentials, hosts = '', path = ''] = SHAPE.exec(url) ?? refuse(url);
  const form = kind as RedisAddress['form'];
  return {
    form,
    hosts: readHosts(hosts, form, url),
    tls: scheme === 'rediss',
    ...readCredentials(credentials, url),
    ...readPath(path, form, url),
  };
}

/** Reads the text of a variable that is such a URL, and gives it as it is. */
export const redisUrl: Reader<string> = (name, text) => {
  if (text === undefined) throw new ConfigError(name, EXPECTED, undefined);
  parseRedisUrl(text);
  return text;
};

/** A single server's path is its database, a sentinel's is the master and its database, a cluster has none. */
function readPath(path: string, form: RedisAddress['form'], url: string): Pick<RedisAddress, 'master' | 'db'> {
  const parts = path.split('/').filter((part) => part !== '');
  const master = form === 'sentinel' ? decode(parts.shift() ?? refuse(url), url) : undefined;
  const db = form === 'cluster' ? '0' : (parts.shift() ?? '0');
  if (parts.length > 0 || !/^\d{1,5}$/.test(db)) refuse(url);
  return { ...(master === undefined ? {} : { master }), db: Number(db) };
}

function readHosts(text: string, form: RedisAddress['form'], url: string): HostAndPort[] {
  const hosts = text.split(',').map((one) => {
    const [, ip6, name, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s[\]]+))(?::(\d{1,5}))?$/.exec(one) ?? refuse(url);
    const number = port === undefined ? (form === 'sentinel' ? SENTINEL_PORT : REDIS_PORT) : Number(port);
    if (number < 1 || number > 65_535) refuse(url);
    return { host: ip6 ?? name ?? '', port: number };
  });
  if (form === 'single' && hosts.length > 1) refuse(url);
  return hosts;
}

function readCredentials(text: string | undefined, url: string): Pick<RedisAddress, 'username' | 'password'> {
  if (text === undefined || text === '') return {};
  const colon = text.indexOf(':');
  if (colon < 0) return { username: decode(text, url) };
  const username = decode(text.slice(0, colon), url);
  const password = decode(text.slice(colon + 1), url);
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function decode(text: string, url: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(url);
  }
}

function refuse(url: string): never {
  throw new ConfigError('REDIS_URL', EXPECTED, url.replace(/\/\/.*@/, '//***@'));
}
