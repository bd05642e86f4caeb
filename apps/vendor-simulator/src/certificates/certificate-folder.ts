import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { DAY_MS } from '@postrider/domain';
import { type Certificates, makeCertificates } from './make-certificates';

/** Names and addresses that the server certificate is good for; `vendor-simulator` is its name in a compose network. */
const HOSTS = ['localhost', 'vendor-simulator', '127.0.0.1', '::1'];
/** What a server listens on that every address of the machine leads to. */
const ALL_ADDRESSES = ['0.0.0.0', '::'];
const RENEW_BEFORE_MS = 7 * DAY_MS;

/** Returns the paths of a certificate folder: `caFile` is the file for `NODE_EXTRA_CA_CERTS`. */
export function certificateFiles(folder: string): { caFile: string; serverFile: string; serverKeyFile: string } {
  return {
    caFile: join(folder, 'ca.pem'),
    serverFile: join(folder, 'server.pem'),
    serverKeyFile: join(folder, 'server-key.pem'),
  };
}

/**
 * Returns the folder's certificates; makes them if there are none, or none that will be valid for another week, or none for `host`.
 * They are made once: programs that trust `ca.pem` continue to trust it after restarts.
 *
 * @param host the address that the server listens on
 */
export async function certificatesOf(folder: string, now: Date, host: string): Promise<Certificates> {
  const further = ALL_ADDRESSES.includes(host) ? [] : [host];
  return (await storedCertificates(folder, now, further)) ?? (await freshCertificates(folder, now, further));
}

async function storedCertificates(
  folder: string,
  now: Date,
  further: readonly string[],
): Promise<Certificates | undefined> {
  const files = certificateFiles(folder);
  try {
    const [ca, server, serverKey] = await Promise.all(
      [files.caFile, files.serverFile, files.serverKeyFile].map((file) => readFile(file, 'utf8')),
    );
    if (ca === undefined || server === undefined || serverKey === undefined) return undefined;
    const certificate = new X509Certificate(server);
    const isFor = (host: string): boolean =>
      (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
    const goodUntil = Date.parse(certificate.validTo);
    return goodUntil - RENEW_BEFORE_MS > now.getTime() && further.every(isFor) ? { ca, server, serverKey } : undefined;
  } catch {
    return undefined; // nothing there, or nothing that can be read: both mean "make new ones"
  }
}

async function freshCertificates(folder: string, now: Date, further: readonly string[]): Promise<Certificates> {
  const files = certificateFiles(folder);
  const made = await makeCertificates([...new Set([...HOSTS, ...further])], now);
  await mkdir(folder, { recursive: true });
  await writeFile(files.caFile, made.ca);
  await writeFile(files.serverFile, made.server);
  await writeFile(files.serverKeyFile, made.serverKey, { mode: 0o600 });
  return made;
}
