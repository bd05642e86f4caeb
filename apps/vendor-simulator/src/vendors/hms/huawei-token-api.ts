import type { Settings } from '../../settings/settings';
import type { ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import type { AccessTokens } from '../access-tokens';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Summary } from '../vendor-api';

/** Huawei's token endpoint: client credentials in, an access token out. */
export class HuaweiTokenApi implements VendorApi {
  readonly name = 'hms-token';
  readonly takesMessages = false;

  constructor(
    private readonly clientId: string,
    private readonly clientSecret: string,
    private readonly accessTokens: AccessTokens,
    private readonly settings: Settings,
  ) {}

  owns(method: string, path: string): boolean {
    return method === 'POST' && path === '/oauth2/v3/token';
  }

  receive(request: ArrivedRequest): Received {
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (form.get('grant_type') !== 'client_credentials')
      return refusedWith('invalid_request', 'unsupported grant_type');
    if (form.get('client_id') !== this.clientId) return refusedWith('invalid_client', 'unknown client_id');
    if (form.get('client_secret') !== this.clientSecret) return refusedWith('invalid_client', 'wrong client_secret');
    const submission = { tokens: [this.clientId], payload: {}, details: {}, isRehearsal: false };
    return { kind: 'submitted', submission };
  }

  accept(): Acceptance {
    const seconds = this.settings.accessTokenSeconds;
    const body = { access_token: this.accessTokens.issue(seconds), expires_in: seconds, token_type: 'Bearer' };
    return { answer: jsonAnswer(200, body), vendorMessageId: '' };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind !== 'status')
      return { code: 'invalid_client', answer: jsonAnswer(400, { error: 'invalid_client' }) };
    const code = refusal.code ?? 'server_error';
    return { code, answer: jsonAnswer(refusal.http, { error: code }, refusal.retryAfter) };
  }

  summarize(): Summary {
    return { title: '', body: '' };
  }
}

/** Huawei's `sub_error` for a form that it does not accept. */
const SUB_ERROR = 1101;

function refusedWith(error: string, description: string): Received {
  return refused(error, jsonAnswer(400, { sub_error: SUB_ERROR, error, error_description: description }));
}
