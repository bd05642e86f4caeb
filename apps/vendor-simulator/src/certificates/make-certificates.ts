import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { DAY_MS } from '@postrider/domain';

/** A certificate authority and one server certificate it signed, all PEM. */
export interface Certificates {
  ca: string;
  server: string;
  serverKey: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const AUTHORITY_NAME = 'CN=Postrider vendor simulator CA';

/** How long the certificates are valid: long, since only people who choose to trust them do, on one machine. */
const VALID_DAYS = 3_650;

/**
 * Makes a fresh authority and a server certificate for the given host names and addresses.
 *
 * The authority's key is thrown away: it signs this one certificate and can never sign another.
 */
export async function makeCertificates(hosts: readonly string[], now: Date): Promise<Certificates> {
  const authorityKeys = await makeKeys();
  const serverKeys = await makeKeys();
  const dates = {
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  };
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...dates,
    serialNumber: serialNumber(),
    name: AUTHORITY_NAME,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...dates,
    serialNumber: serialNumber(),
    subject: 'CN=Postrider vendor simulator',
    issuer: AUTHORITY_NAME,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: await serverExtensions(hosts, serverKeys.publicKey, authorityKeys.publicKey),
  });
  return { ca: authority.toString('pem'), server: server.toString('pem'), serverKey: await privateKeyPem(serverKeys) };
}

async function serverExtensions(
  hosts: readonly string[],
  server: webcrypto.CryptoKey,
  authority: webcrypto.CryptoKey,
): Promise<Extension[]> {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(
      hosts.map((host) => ({ type: /^[\d.]+$|:/.test(host) ? ('ip' as const) : ('dns' as const), value: host })),
    ),
    await SubjectKeyIdentifierExtension.create(server),
    await AuthorityKeyIdentifierExtension.create(authority),
  ];
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privateKeyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

/** A positive serial number of 16 bytes (RFC 5280 §4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
