import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwAwayCertificate } from '@postrider/testing';
import { readTlsCertificate } from './tls-certificate';

describe('the certificate of an edge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-certificate-'));
  const fileOf = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const own = throwAwayCertificate();
  const mqttTlsCert = fileOf('cert.pem', own.cert);
  const mqttTlsKey = fileOf('key.pem', own.key);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is none, or a chain with its key', () => {
    expect(readTlsCertificate({ mqttTlsCert: undefined, mqttTlsKey: undefined })).toBeNull();
    const { cert, key } = readTlsCertificate({ mqttTlsCert, mqttTlsKey }) ?? {};
    expect([String(cert), String(key)]).toEqual([own.cert, own.key]);
  });

  it('that cannot be used is said with the variable, what it expects and what it is', () => {
    const text = fileOf('text.pem', 'no certificate');
    const empty = fileOf('empty.pem', '');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = fileOf('other.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const reading = (files: Partial<Parameters<typeof readTlsCertificate>[0]>) => (): unknown =>
      readTlsCertificate({ mqttTlsCert, mqttTlsKey, ...files });
    expect(reading({ mqttTlsKey: undefined })).toThrow(/^MQTT_TLS_KEY is missing: /);
    expect(reading({ mqttTlsCert: '/nowhere' })).toThrow(/^MQTT_TLS_CERT is "\/nowhere": expected a file \(PEM\)/);
    for (const file of [text, empty, mqttTlsKey]) {
      const message = `MQTT_TLS_CERT is "${file}": expected a file with a certificate chain (PEM)`;
      expect(reading({ mqttTlsCert: file })).toThrow(message);
    }
    for (const file of [text, empty, mqttTlsCert]) {
      const message = `MQTT_TLS_KEY is "${file}": expected a file with a private key (PEM) without a passphrase`;
      expect(reading({ mqttTlsKey: file })).toThrow(message);
    }
    const message = `MQTT_TLS_KEY is "${other}": expected the private key of the certificate in MQTT_TLS_CERT`;
    expect(reading({ mqttTlsKey: other })).toThrow(message);
  });
});
