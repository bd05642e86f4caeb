import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { openTunnel } from '@postrider/platform';
import { assertPublicEndpoint, publicLookup } from '../net/address-guard';
import { lookupInTurns } from '../net/lookup-in-turns';
import type { Http2PoolOptions } from './http2-call';

/** The version of HTTP on a connection, by its name in ALPN. */
export type HttpVersion = 'h2' | 'http/1.1';

/** One for the whole process: so are the threads that resolve names. */
const strangersLookup = lookupInTurns(publicLookup);

/** Hears that a socket is open, or that it failed to open. */
export interface SocketListener {
  onOpen(socket: Socket, protocol: HttpVersion): void;
  onFailure(error: Error): void;
}

/**
 * Opens a connection for HTTP/2: over TLS if the origin says `https` and the server agrees by ALPN (RFC 9113 §3.3),
 * otherwise in clear by prior knowledge. Over TLS it is one for HTTP/1.1 if the server prefers that and it is allowed.
 * If the deployment has a proxy, all of this goes through a tunnel.
 * @returns the socket, which the caller destroys if it gives it up before it is open
 * @throws if the origin is a private address and that is not allowed
 */
export function openSocket(options: Http2PoolOptions, listener: SocketListener): Socket {
  const { origin, allowPrivateEndpoints, isFromStrangers, proxy } = options;
  if (!allowPrivateEndpoints) assertPublicEndpoint(origin);
  const isSecure = origin.protocol === 'https:';
  const host = origin.hostname.replace(/^\[(.*)\]$/, '$1');
  const place = {
    host,
    port: Number(origin.port) || (isSecure ? 443 : 80),
    ...(allowPrivateEndpoints ? {} : { lookup: isFromStrangers ? strangersLookup : publicLookup }),
  };
  const tls = tlsTo(host, options);
  const through = proxy?.for(origin);
  if (through === undefined) {
    return isSecure
      ? announceSecure(connectTls({ ...place, ...tls }), options, listener)
      : announce(connectTcp(place), 'connect', () => 'h2', listener);
  }
  const tunnel = openTunnel({
    ...(isFromStrangers ? place : { host, port: place.port }),
    proxy: through,
    onOpen: () => void announceSecure(connectTls({ socket: tunnel, ...tls }), options, listener),
    onFailure: (error) => listener.onFailure(error),
  });
  return tunnel;
}

function tlsTo(host: string, { ca, allowHttp1 }: Http2PoolOptions): ConnectionOptions {
  const versions: HttpVersion[] = allowHttp1 ? ['h2', 'http/1.1'] : ['h2'];
  return { ALPNProtocols: versions, ...(isIP(host) === 0 ? { servername: host } : {}), ...(ca ? { ca } : {}) };
}

function announceSecure(socket: TLSSocket, { allowHttp1 }: Http2PoolOptions, listener: SocketListener): Socket {
  const agreed = (): HttpVersion | null => (socket.alpnProtocol === 'h2' ? 'h2' : allowHttp1 ? 'http/1.1' : null);
  return announce(socket, 'secureConnect', agreed, listener);
}

/** Tells the listener once if the socket is open. @param agreed the version of HTTP that it is open for, if there is one */
function announce(
  socket: Socket,
  opened: 'connect' | 'secureConnect',
  agreed: () => HttpVersion | null,
  listener: SocketListener,
): Socket {
  const fail = (error: Error): void => listener.onFailure(error);
  const failClosed = (): void => listener.onFailure(new Error('The connection was closed'));
  socket.once('error', fail).once('close', failClosed);
  socket.once(opened, () => {
    socket.off('error', fail).off('close', failClosed);
    const version = agreed();
    if (version === null) {
      socket.on('error', () => undefined).destroy();
      listener.onFailure(new Error('The server does not speak HTTP/2'));
      return;
    }
    socket.setNoDelay(true);
    listener.onOpen(socket, version);
  });
  return socket;
}
