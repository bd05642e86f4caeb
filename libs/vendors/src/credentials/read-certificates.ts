import { X509Certificate } from 'node:crypto';
import type { FieldReader } from './field-reader';

/** Reads `ca`: an authority to trust instead of the usual ones, in PEM form. */
export function readCertificates(fields: FieldReader): string | undefined {
  const pem = fields.optionalText('ca');
  if (!pem) return undefined;
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    return fields.fail('ca', 'must be a certificate in PEM form');
  }
}
