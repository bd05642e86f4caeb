import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { FieldReader } from './field-reader';

/**
 * Reads a PEM private key and checks its kind. Escaped line breaks (`\n` as two characters), as they come out of
 * environment files, are put right.
 *
 * @returns the PEM, or '' after reporting what is wrong with it
 */
export function readPrivateKey(fields: FieldReader, name: string, kind: 'RSA' | 'P-256'): string {
  const text = fields.text(name).replaceAll('\\n', '\n').trim();
  if (text === '') return '';
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    return fields.fail(name, 'must be a private key in PEM form, without a passphrase');
  }
  const isRsa = key.asymmetricKeyType === 'rsa';
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (kind === 'RSA' ? !isRsa : !isP256)
    return fields.fail(name, `must be ${kind === 'RSA' ? 'an RSA' : 'an EC P-256'} key`);
  return text;
}
