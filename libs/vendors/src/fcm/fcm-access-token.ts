import type { Clock } from '@postrider/domain';
import { createPrivateKey } from 'node:crypto';
import type { HttpClient } from '../http1/http-client';
import { signJwt } from '../jwt/sign-jwt';
import { readTokenAnswer, type TokenResult } from '../oauth/access-token-source';

/** The parts of a Firebase service account and of the project's endpoint that are used. */
export type FcmCredentials = {
  projectId: string;
  clientEmail: string;
  tokenUri: string;
  /** Base address of the send API. */
  endpoint: string;
  /** PEM, RSA. */
  privateKey: string;
};

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_SECONDS = 3_600;

/** Makes the function that trades a service account's signature for an access token (RFC 7523). */
export function fcmTokenFetcher(
  credentials: FcmCredentials,
  client: HttpClient,
  clock: Clock,
): () => Promise<TokenResult> {
  const key = createPrivateKey(credentials.privateKey);
  const url = new URL(credentials.tokenUri);
  return async () => {
    const issuedAt = Math.floor(clock.now().getTime() / 1_000);
    const { clientEmail: iss, tokenUri: aud } = credentials;
    const claims = { iss, scope: SCOPE, aud, iat: issuedAt, exp: issuedAt + LIFE_SECONDS };
    const assertion = signJwt('RS256', {}, claims, key);
    return readTokenAnswer(await client.postForm(url, { grant_type: GRANT, assertion }), clock.now());
  };
}
