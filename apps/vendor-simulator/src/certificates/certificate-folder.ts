import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@postrider/domain';
import { type Certificates, makeCertificates } from './make-certificates';

/** Names and addresses that the server certificate is good for; `vendor-simulator` is its name in a compose network. */
const HOSTS = ['localhost', 'vendor-simulator', '127.0.0.1', '::1'];
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
 * Returns the folder's certificates; makes them if there are none, or none that will be valid for another week.
 * They are made once: programs that trust `ca.pem` continue to trust it after restarts.
 */
export async function certificatesOf(folder: string, now: Date): Promise<Certificates> {
  return (await storedCertificates(folder, now)) ?? (await freshCertificates(folder, now));
}

async function storedCertificates(folder: string, now: Date): Promise<Certificates | undefined> {
  const files = certificateFiles(folder);
  try {
    const [ca, server, serverKey] = await Promise.all(
      [files.caFile, files.serverFile, files.serverKeyFile].map((file) => readFile(file, 'utf8')),
    );
    if (ca === undefined || server === undefined || serverKey === undefined) return undefined;
    const goodUntil = Date.parse(new X509Certificate(server).validTo);
    return goodUntil - RENEW_BEFORE_MS > now.getTime() ? { ca, server, serverKey } : undefined;
  } catch {
    return undefined; // nothing there, or nothing that can be read: both mean "make new ones"
  }
}

async function freshCertificates(folder: string, now: Date): Promise<Certificates> {
  const files = certificateFiles(folder);
  const made = await makeCertificates(HOSTS, now);
  await mkdir(folder, { recursive: true });
  await writeFile(files.caFile, made.ca);
  await writeFile(files.serverFile, made.server);
  await writeFile(files.serverKeyFile, made.serverKey, { mode: 0o600 });
  return made;
}
