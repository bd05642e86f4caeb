import { createSign } from 'node:crypto';

/** The part of a service account that signs. */
export interface ServiceAccount {
  client_email: string;
  private_key: string;
  token_uri: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

/** Signs in as a service account (RFC 7523). @returns the value of an `Authorization` header */
export async function signIn(account: ServiceAccount): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: account.client_email, aud: account.token_uri, scope: SCOPE, iat: now, exp: now + 3_600 };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = createSign('RSA-SHA256').update(unsigned).sign(account.private_key, 'base64url');
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${unsigned}.${signature}`,
  });
  const answer = await fetch(account.token_uri, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return `Bearer ${token}`;
}
