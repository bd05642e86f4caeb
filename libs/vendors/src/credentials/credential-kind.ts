import type { ErrorDetail, JsonObject, JsonValue } from '@postrider/domain';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Credentials as they are stored: `settings` may be shown to an operator, `secrets` are sealed. Their keys never overlap. */
export interface StoredCredentials {
  settings: JsonObject;
  secrets: JsonObject;
}

/** Values of which some may be absent, because they could not be read. */
export type Readable<Values> = {
  [Field in keyof Values]?: Values[Field] extends object ? Readable<Values[Field]> : Values[Field];
};

/** The addresses that the deployment allows senders to use. */
export interface EndpointRules {
  /** Plain http and private addresses too. */
  allowPrivateEndpoints: boolean;
}

/** The rules of one vendor's credentials, beyond those of each field. */
export interface CredentialKind<Values> {
  /** Returns the errors in the material: keys, certificates, addresses, templates. */
  problems(values: Readable<Values>, rules: EndpointRules): ErrorDetail[];
  /** Returns the form in which they are stored, with missing optional parts made. */
  stored(values: Values): StoredCredentials;
}

/** Drops the members that were left out. */
export function present(object: object): JsonObject {
  const members = Object.entries(object) as [string, JsonValue | undefined][];
  return Object.fromEntries(members.filter((member): member is [string, JsonValue] => member[1] !== undefined));
}

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

/** Returns the errors of a PEM private key that must be of a kind; none for a missing one. */
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

/** Returns the errors of `ca`: an authority to trust instead of the usual ones, in PEM form. */
export function problemsOfAuthority(pem: string | undefined): ErrorDetail[] {
  if (pem === undefined) return [];
  try {
    new X509Certificate(pem);
    return [];
  } catch {
    return [{ path: 'ca', message: 'must be a certificate in PEM form' }];
  }
}
