import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { ErrorDetail } from '@postrider/domain';

/** Finds the addresses (by their paths) that are not https, unless plain ones are allowed; one that is absent is none. */
export function problemsOfAddresses(
  addresses: Record<string, string | undefined>,
  { allowPrivateEndpoints }: { allowPrivateEndpoints: boolean },
): ErrorDetail[] {
  if (allowPrivateEndpoints) return [];
  return Object.entries(addresses)
    .filter(([, address]) => address !== undefined && new URL(address).protocol !== 'https:')
    .map(([path]) => ({ path, message: 'must be an https address' }));
}

/** What is wrong with a PEM private key that should be of a kind; nothing with one that is absent. */
export function problemsOfKey(path: string, pem: string | undefined, kind: 'RSA' | 'P-256'): ErrorDetail[] {
  if (pem === undefined) return [];
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return [{ path, message: 'must be a private key in PEM form, without a passphrase' }];
  }
  const isRsa = key.asymmetricKeyType === 'rsa';
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (kind === 'RSA' ? isRsa : isP256) return [];
  return [{ path, message: `must be ${kind === 'RSA' ? 'an RSA' : 'an EC P-256'} key` }];
}

/** What is wrong with `ca`: an authority to trust instead of the usual ones, in PEM form. */
export function problemsOfAuthority(pem: string | undefined): ErrorDetail[] {
  if (pem === undefined) return [];
  try {
    new X509Certificate(pem);
    return [];
  } catch {
    return [{ path: 'ca', message: 'must be a certificate in PEM form' }];
  }
}
