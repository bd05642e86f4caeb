import { isIP } from 'node:net';
import { parse, parseCIDR } from 'ipaddr.js';
import { ConfigError } from './config-error';
import { Secret } from './secret';

/** A rule of `NO_PROXY`: which host is reached without the proxy. */
type Exception = (host: string, port: string) => boolean;

const EXPECTED =
  '* or a list of hosts, .domains, addresses and CIDR ranges, each with a port if need be, separated by commas';

const EXPECTED_PROXY =
  'a URL (http://[user:password@]host[:port] or https://…), with special characters of user and password percent-encoded';

/**
 * The HTTP proxy through which `https:` addresses outside are reached, by CONNECT (RFC 9110 §9.3.6), with the
 * exceptions of `NO_PROXY` and of this machine. It sees names and ports, but not the content.
 */
export class HttpsProxy {
  readonly #url: Secret;
  readonly #exceptions: readonly Exception[];

  /** @throws ConfigError when the URL, or an entry of `noProxy`, cannot be read */
  constructor(url: string, noProxy = '') {
    if (!isReadable(url)) throw new ConfigError('HTTPS_PROXY', EXPECTED_PROXY, url);
    this.#url = new Secret(url);
    this.#exceptions = noProxy
      .split(/[\s,]+/)
      .filter((entry) => entry !== '')
      .map((entry) => readException(entry, noProxy));
  }

  /** @returns the proxy that leads to `target`; undefined when it is reached directly */
  for(target: URL): URL | undefined {
    const host = bare(target.hostname);
    if (target.protocol !== 'https:' || isLoopback(host)) return undefined;
    const isException = this.#exceptions.some((matches) => matches(host, target.port || '443'));
    return isException ? undefined : new URL(this.#url.reveal());
  }
}

/** True if it is an http or https URL whose user and password can be sent to the proxy. */
function isReadable(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url);
    return /^https?:$/.test(protocol) && decodeURIComponent(`${username}:${password}`) !== '';
  } catch {
    return false;
  }
}

/** `example.com` means its subdomains too, as `.example.com` does. */
function readException(entry: string, all: string): Exception {
  if (entry === '*') return () => true;
  if (entry.includes('/')) return readRange(entry, all);
  const [, ip6, name, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:\s]+|[0-9a-f]*:[0-9a-f:.]+?))(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const host = ip6 ?? name;
  if (host === undefined) throw new ConfigError('NO_PROXY', EXPECTED, all);
  const domain = host.toLowerCase().replace(/^\*?\./, '');
  return (asked, askedPort) => {
    if (port !== undefined && port !== askedPort) return false;
    return asked === domain || (isIP(asked) === 0 && asked.endsWith(`.${domain}`));
  };
}

function readRange(entry: string, all: string): Exception {
  try {
    const [range, bits] = parseCIDR(entry);
    return (host) => {
      if (isIP(host) === 0) return false;
      const address = parse(host);
      return address.kind() === range.kind() && address.match(range, bits);
    };
  } catch {
    throw new ConfigError('NO_PROXY', EXPECTED, all);
  }
}

/** No proxy leads to this machine. */
function isLoopback(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && parse(host).range() === 'loopback');
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}
