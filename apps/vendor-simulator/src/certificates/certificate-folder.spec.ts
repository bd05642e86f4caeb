import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificatesOf } from './certificate-folder';

const NOW = new Date('2026-11-29T12:00:00Z');

describe('the certificate of the simulator', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'certificates-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('stays as it is while the simulator listens on loopback or on all addresses', async () => {
    const first = await certificatesOf(folder, NOW, '127.0.0.1');
    for (const host of ['localhost', '::1', '0.0.0.0', '::']) {
      expect(await certificatesOf(folder, NOW, host)).toEqual(first);
    }
  });

  it.each(['192.0.2.7', '2001:db8::7', 'phone-lab.example'])(
    'is for the address that it listens on: %s',
    async (host) => {
      await certificatesOf(folder, NOW, '127.0.0.1');
      const made = await certificatesOf(folder, NOW, host);
      const certificate = new X509Certificate(made.server);
      expect(isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)).toBe(host);
      expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
      expect(await certificatesOf(folder, NOW, '127.0.0.1')).toEqual(made);
    },
  );
});
