import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { type Config, ConfigError } from '@postrider/platform';

/** A certificate chain and its private key (PEM). */
interface TlsCertificate {
  cert: Buffer;
  key: Buffer;
}

/**
 * Reads the edge's certificate. Null: there is none.
 *
 * @throws ConfigError if a file cannot be read or used, or if the key is that of another certificate
 */
export function readTlsCertificate({
  mqttTlsCert,
  mqttTlsKey,
}: Pick<Config, 'mqttTlsCert' | 'mqttTlsKey'>): TlsCertificate | null {
  if (mqttTlsCert === undefined && mqttTlsKey === undefined) return null;
  const cert = readFile('MQTT_TLS_CERT', mqttTlsCert);
  const key = readFile('MQTT_TLS_KEY', mqttTlsKey);
  if (!isUsable({ cert })) throw new ConfigError('MQTT_TLS_CERT', 'a file with a certificate chain (PEM)', mqttTlsCert);
  if (!isUsable({ key }))
    throw new ConfigError('MQTT_TLS_KEY', 'a file with a private key (PEM) without a passphrase', mqttTlsKey);
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new ConfigError('MQTT_TLS_KEY', 'the private key of the certificate in MQTT_TLS_CERT', mqttTlsKey);
  return { cert, key };
}

function readFile(variable: string, path: string | undefined): Buffer {
  try {
    if (path !== undefined) return readFileSync(path);
  } catch {
    // The error is thrown below.
  }
  throw new ConfigError(variable, 'a file (PEM) that can be read, beside the other of the two', path);
}

function isUsable(options: SecureContextOptions): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}
