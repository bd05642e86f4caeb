import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A self-signed certificate for 127.0.0.1, localhost and names under example.test: its own authority, unknown to
 * everyone else.
 */
export interface ThrowAwayCertificate {
  /** PEM. Also what a client must trust. */
  cert: string;
  key: string;
}

let made: ThrowAwayCertificate | undefined;

/** Makes a certificate with the machine's openssl, once a process. */
export function throwAwayCertificate(): ThrowAwayCertificate {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'postrider-cert-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = 'subjectAltName=DNS:localhost,DNS:*.example.test,IP:127.0.0.1';
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
    const args = ['req', '-x509', ...kind, '-subj', '/CN=localhost', '-addext', names, '-keyout', key, '-out', cert];
    execFileSync('openssl', args, { stdio: 'pipe' });
    made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
