import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The target of a tunnel, and its callbacks. */
interface Tunnel {
  proxy: URL;
  /** A name or an address. */
  host: string;
  port: number;
  /** Resolves the name here, and the proxy is asked for the address; without it the proxy resolves the name. */
  lookup?: LookupFunction;
  /** The tunnel is open: the socket carries the bytes for `host`. */
  onOpen(): void;
  onFailure(error: Error): void;
}

/** A tunnel that could not be opened: nothing was sent to whom it leads. */
export class TunnelError extends Error {
  readonly code = 'PROXY_FAILED';

  constructor(reason: string) {
    super(`The proxy did not let us through: ${reason}`);
    this.name = 'TunnelError';
  }
}

/** The head of an answer to CONNECT is a few hundred bytes. */
const MAX_HEAD_BYTES = 16_384;
const HEAD_END = '\r\n\r\n';

/**
 * Asks a proxy for a tunnel (CONNECT, RFC 9110 §9.3.6). Calls back exactly once. It sets no time limit: who gives up destroys
 * the socket.
 *
 * @returns the socket to the proxy, which is the tunnel once it is open
 */
export function openTunnel({ proxy, host, port, lookup, onOpen, onFailure }: Tunnel): Socket {
  const socket = connectToProxy(proxy);
  let head = Buffer.alloc(0);
  const stop = (): void => {
    socket.off('data', read).off('error', broken).off('close', closed);
    // The user of the tunnel notices errors in the bytes that it carries.
    socket.on('error', () => undefined);
  };
  const fail = (error: Error): void => {
    stop();
    socket.destroy();
    onFailure(error);
  };
  const broken = (error: Error): void => fail(new TunnelError(error.message));
  const closed = (): void => fail(new TunnelError('the connection was closed'));
  const ask = (target: string): void => {
    socket.write(requestFor(proxy, `${isIP(target) === 6 ? `[${target}]` : target}:${port}`));
  };
  const read = (bytes: Buffer): void => {
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0 && head.length <= MAX_HEAD_BYTES) return;
    const refusal = refusalIn(head, end);
    if (refusal !== null) {
      fail(new TunnelError(refusal));
      return;
    }
    stop();
    socket.pause();
    onOpen();
  };
  socket.on('data', read).once('error', broken).once('close', closed);
  socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    socket.setNoDelay(true);
    if (lookup === undefined || isIP(host) !== 0) ask(host);
    else {
      lookup(host, {}, (error, address) => {
        if (socket.destroyed) return;
        if (error) fail(error);
        else ask(address as string);
      });
    }
  });
  return socket;
}

function connectToProxy(proxy: URL): Socket {
  const host = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = proxy.protocol === 'https:';
  const place = { host, port: Number(proxy.port) || (isSecure ? 443 : 80) };
  if (!isSecure) return connectTcp(place);
  return connectTls({ ...place, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 ? { servername: host } : {}) });
}

function requestFor({ username, password }: URL, target: string): string {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(user, 'utf8').toString('base64')}\r\n`;
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`;
}

/**
 * @returns why there is no tunnel; null if there is one. The target speaks TLS and waits for us, so nothing follows the
 * head.
 */
function refusalIn(head: Buffer, end: number): string | null {
  if (end < 0) return 'its answer has no end';
  const [, status, words = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?/.exec(head.toString('latin1', 0, end)) ?? [];
  if (status === undefined) return 'its answer is not HTTP';
  if (!status.startsWith('2')) return `${status} ${words}`.trim().slice(0, 100);
  return head.length === end + HEAD_END.length ? null : 'there is more than its answer';
}
