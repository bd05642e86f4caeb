import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import type { Settings } from '../../settings/settings';
import type { ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import type { AccessTokens } from '../access-tokens';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';
import { isSignedRs256, type Jwt, parseJwt } from '../jwt';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const GOOGLE_AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPES = ['https://www.googleapis.com/auth/firebase.messaging', 'https://www.googleapis.com/auth/cloud-platform'];
const MAX_LIFETIME_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 300;

/** Google's token endpoint: a service account's signed assertion in, an access token out. */
export class GoogleTokenApi implements VendorApi {
  readonly name = 'fcm-token';
  readonly takesMessages = false;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly clientEmail: string,
    privateKey: string,
    private readonly accessTokens: AccessTokens,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.publicKey = createPublicKey(privateKey);
  }

  owns(method: string, path: string): boolean {
    return method === 'POST' && path === '/token';
  }

  receive(request: ArrivedRequest): Received {
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (form.get('grant_type') !== GRANT_TYPE) return this.no('unsupported_grant_type', 'Invalid grant_type');
    const jwt = parseJwt(form.get('assertion') ?? '');
    if (jwt === undefined) return this.no('invalid_grant', 'Invalid JWT: not a JSON Web Token.');
    const problem = this.problemOf(jwt, `https://${request.authority}/token`);
    if (problem !== undefined) return this.no('invalid_grant', problem);
    const scopes = typeof jwt.claims.scope === 'string' ? jwt.claims.scope.split(' ') : [];
    if (!scopes.some((scope) => SCOPES.includes(scope))) return this.no('invalid_scope', 'No scope for messaging.');
    const submission = { tokens: [this.clientEmail], payload: jwt.claims, details: {}, isRehearsal: false };
    return { kind: 'submitted', submission };
  }

  accept(): Acceptance {
    const seconds = this.settings.accessTokenSeconds;
    const token = this.accessTokens.issue(seconds);
    // Google rounds an hour down to 3599
    const body = { access_token: token, expires_in: Math.max(0, seconds - 1), token_type: 'Bearer' };
    return { answer: jsonAnswer(200, body), vendorMessageId: '' };
  }

  refuse(refusal: Refusal, submission: Submission): Refused {
    if (refusal.kind !== 'status') {
      const description = `Invalid grant: account not found (${submission.tokens[0] ?? ''})`;
      return {
        code: 'invalid_grant',
        answer: jsonAnswer(400, { error: 'invalid_grant', error_description: description }),
      };
    }
    const code = refusal.code ?? (refusal.http >= 500 ? 'internal_failure' : 'invalid_grant');
    return { code, answer: jsonAnswer(refusal.http, { error: code, error_description: code }, refusal.retryAfter) };
  }

  summarize(): Summary {
    return { title: '', body: '' };
  }

  private problemOf(jwt: Jwt, ownAudience: string): string | undefined {
    const { iss, aud, iat, exp } = jwt.claims;
    if (iss !== this.clientEmail) return 'Invalid grant: account not found';
    if (!isSignedRs256(jwt, this.publicKey)) return 'Invalid JWT Signature.';
    if (aud !== ownAudience && aud !== GOOGLE_AUDIENCE) return 'Invalid JWT: Failed audience check.';
    return this.timeProblem(iat, exp);
  }

  private timeProblem(iat: unknown, exp: unknown): string | undefined {
    const now = this.clock.now().getTime() / 1_000;
    const tooLong = 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.';
    if (typeof iat !== 'number' || typeof exp !== 'number') return tooLong;
    if (exp < now || iat > now + CLOCK_SKEW_SECONDS || exp - iat > MAX_LIFETIME_SECONDS) {
      return `${tooLong} Check your iat and exp values in the JWT claim.`;
    }
    return undefined;
  }

  private no(error: string, description: string): Received {
    return refused(error, jsonAnswer(400, { error, error_description: description }));
  }
}
