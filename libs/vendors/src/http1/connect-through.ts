import { openTunnel, type HttpsProxy } from '@postrider/platform';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** How connections are made. */
interface ConnectSettings {
  timeout: number;
  ca?: string;
  allowH2?: boolean;
  /** Resolves names where no proxy does. */
  lookup?: LookupFunction;
}

/**
 * Returns undici's connector for a deployment with a proxy: through a tunnel, with TLS to the target inside.
 * @param resolvesHere true if names are resolved by `lookup` behind a proxy too, rather than by the proxy
 */
export function connectThrough(
  proxy: HttpsProxy,
  { lookup, ...settings }: ConnectSettings,
  resolvesHere: boolean,
): buildConnector.connector {
  const connectDirectly = buildConnector({ ...settings, ...(lookup ? { lookup } : {}) });
  const connectInside = buildConnector(settings);
  return (options, callback) => {
    const through = proxy.for(new URL(`${options.protocol}//${options.host ?? options.hostname}`));
    if (through === undefined) {
      connectDirectly(options, callback);
      return;
    }
    const limit = setTimeout(() => tunnel.destroy(new Error('it took too long')), settings.timeout);
    const tunnel = openTunnel({
      proxy: through,
      host: options.hostname,
      port: Number(options.port) || 443,
      ...(resolvesHere && lookup ? { lookup } : {}),
      onOpen: () => {
        clearTimeout(limit);
        connectInside({ ...options, httpSocket: tunnel }, callback);
      },
      onFailure: (error) => {
        clearTimeout(limit);
        callback(error, null);
      },
    });
  };
}
