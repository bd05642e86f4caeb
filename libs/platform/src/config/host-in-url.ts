/**
 * Returns the host of the URLs under which processes on this machine reach a server that listens on the address `host` (`HOST`).
 * A server that listens on all addresses is reached on loopback: `::` takes connections over IPv4 too.
 */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
