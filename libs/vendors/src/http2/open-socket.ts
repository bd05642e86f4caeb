import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { openTunnel } from '@postrider/platform';
import { assertPublicEndpoint, publicLookup } from '../net/address-guard';
import type { Http2PoolOptions } from './http2-call';

/** Hears that a socket is open, or that it failed to open. */
export interface SocketListener {
  onOpen(socket: Socket): void;
  onFailure(error: Error): void;
}

/**
 * Opens a connection for HTTP/2: over TLS if the origin says `https` and the server agrees by ALPN (RFC 9113 §3.3),
 * otherwise in clear by prior knowledge. If the deployment has a proxy, all of this goes through a tunnel.
 * @returns the socket, which the caller destroys if it gives it up before it is open
 * @throws if the origin is a private address and that is not allowed
 */
export function openSocket(options: Http2PoolOptions, listener: SocketListener): Socket {
  const { origin, ca, allowPrivateEndpoints, proxy } = options;
  if (!allowPrivateEndpoints) assertPublicEndpoint(origin);
  const isSecure = origin.protocol === 'https:';
  const host = origin.hostname.replace(/^\[(.*)\]$/, '$1');
  const place = {
    host,
    port: Number(origin.port) || (isSecure ? 443 : 80),
    ...(allowPrivateEndpoints ? {} : { lookup: publicLookup }),
  };
  const tls = tlsTo(host, ca);
  const through = proxy?.for(origin);
  if (through === undefined) {
    return announce(isSecure ? connectTls({ ...place, ...tls }) : connectTcp(place), isSecure, listener);
  }
  const tunnel = openTunnel({
    ...(options.isFromStrangers ? place : { host, port: place.port }),
    proxy: through,
    onOpen: () => void announce(connectTls({ socket: tunnel, ...tls }), true, listener),
    onFailure: (error) => listener.onFailure(error),
  });
  return tunnel;
}

function tlsTo(host: string, ca: string | undefined): ConnectionOptions {
  return { ALPNProtocols: ['h2'], ...(isIP(host) === 0 ? { servername: host } : {}), ...(ca ? { ca } : {}) };
}

/** Tells the listener once if the socket is open. */
function announce(socket: Socket, isSecure: boolean, listener: SocketListener): Socket {
  const fail = (error: Error): void => listener.onFailure(error);
  const failClosed = (): void => listener.onFailure(new Error('The connection was closed'));
  socket.once('error', fail).once('close', failClosed);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    socket.off('error', fail).off('close', failClosed);
    if ('alpnProtocol' in socket && socket.alpnProtocol !== 'h2') {
      socket.on('error', () => undefined).destroy();
      listener.onFailure(new Error('The server does not speak HTTP/2'));
      return;
    }
    socket.setNoDelay(true);
    listener.onOpen(socket);
  });
  return socket;
}
