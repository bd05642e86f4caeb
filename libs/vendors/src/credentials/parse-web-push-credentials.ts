import { createECDH } from 'node:crypto';
import { FieldReader, present } from './field-reader';
import type { ParsedCredentials } from './parse-credentials';

const SUBJECT = { regex: /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, says: 'must be a mailto: or https: address' };
const PRIVATE_KEY_BYTES = 32;

/** `{ subject, publicKey?, privateKey? }`, the keys base64url (RFC 8292); without them a pair is made. */
export function parseWebPushCredentials(body: unknown): ParsedCredentials {
  const fields = new FieldReader(body);
  const subject = fields.text('subject', SUBJECT);
  const publicKey = fields.optionalText('publicKey');
  const privateKey = fields.optionalText('privateKey');
  if (publicKey !== undefined && privateKey === undefined) fields.fail('privateKey', 'is required beside publicKey');
  const pair = privateKey === undefined ? newPair() : readPair(fields, privateKey, publicKey);
  fields.finish();
  return { settings: present({ subject, publicKey: pair.publicKey }), secrets: { privateKey: pair.privateKey } };
}

interface Pair {
  publicKey: string;
  privateKey: string;
}

function newPair(): Pair {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_KEY_BYTES);
  const bytes = ecdh.getPrivateKey();
  bytes.copy(privateKey, PRIVATE_KEY_BYTES - bytes.length);
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') };
}

function readPair(fields: FieldReader, privateKey: string, publicKey: string | undefined): Pair {
  const ecdh = createECDH('prime256v1');
  const bytes = Buffer.from(privateKey, 'base64url');
  let derived = '';
  try {
    if (bytes.length !== PRIVATE_KEY_BYTES) throw new Error('length');
    ecdh.setPrivateKey(bytes);
    derived = ecdh.getPublicKey().toString('base64url');
  } catch {
    fields.fail('privateKey', 'must be a P-256 private key of 32 bytes in base64url');
  }
  if (derived !== '' && publicKey !== undefined && publicKey.replace(/=+$/, '') !== derived) {
    fields.fail('publicKey', 'does not belong to privateKey');
  }
  return { publicKey: derived, privateKey: bytes.toString('base64url') };
}
