import { randomUUID } from 'node:crypto';
import { type Clock, MINUTE_MS, parseJsonObject } from '@postrider/domain';
import { isConventional } from '../token-conventions';
import type { ArrivedRequest } from '../../wire/exchange';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';
import { shownText } from '../shown-text';
import { APNS_REASON_BY_STATUS, APNS_STATUS, apnsAccepted, apnsRefused, type ApnsReason } from './apns-answers';
import { headerProblem, sizeProblem } from './apns-checks';
import { type ProviderKey, ProviderTokens } from './provider-tokens';

const PREFIX = '/3/device/';
const HEX = /^(?:[0-9a-f]{2})+$/i;
const SHOWN_HEADERS = ['apns-topic', 'apns-push-type', 'apns-priority', 'apns-expiration', 'apns-collapse-id'] as const;
/** How long ago a dead token is reported to have died. */
const DEAD_SINCE_MS = MINUTE_MS;

/** APNs for one key of one team and one bundle id. */
export class ApnsApi implements VendorApi {
  readonly name = 'apns';
  readonly takesMessages = true;
  private readonly providerTokens: ProviderTokens;

  constructor(
    key: ProviderKey,
    private readonly bundleId: string,
    private readonly clock: Clock,
  ) {
    this.providerTokens = new ProviderTokens(key, clock);
  }

  owns(_method: string, path: string): boolean {
    return path.startsWith('/3/');
  }

  receive(request: ArrivedRequest): Received {
    // APNs speaks HTTP/2 only, and says nothing to those who do not
    if (request.httpVersion !== '2') return { kind: 'dropped', code: 'not-http2' };
    const apnsId = idOf(request);
    const token = decoded(request.path.slice(PREFIX.length));
    const reason = this.problemOf(request, token);
    if (reason !== undefined) return refused(reason, apnsRefused(APNS_STATUS[reason], reason, apnsId));
    const payload = parseJsonObject(request.body.toString('utf8'));
    if (payload === null) return refused('PayloadEmpty', apnsRefused(400, 'PayloadEmpty', apnsId));
    const details = detailsOf(request, apnsId);
    return { kind: 'submitted', submission: { tokens: [token], payload, details, isRehearsal: false } };
  }

  accept(submission: Submission): Acceptance {
    const apnsId = submission.details['apns-id'] ?? '';
    return { answer: apnsAccepted(apnsId), vendorMessageId: apnsId };
  }

  refuse(refusal: Refusal, submission: Submission): Refused {
    const apnsId = submission.details['apns-id'] ?? '';
    if (refusal.kind === 'dead') return this.refusal(410, 'Unregistered', apnsId);
    if (refusal.kind === 'invalid') return this.refusal(400, 'BadDeviceToken', apnsId);
    const code = refusal.code ?? APNS_REASON_BY_STATUS[refusal.http] ?? 'InternalServerError';
    return this.refusal(refusal.http, code, apnsId, refusal.retryAfter);
  }

  summarize(payload: unknown): Summary {
    const { aps } = payload as { aps?: { alert?: string | { title?: unknown; body?: unknown } } };
    const alert = aps?.alert;
    if (typeof alert === 'string') return { title: '', body: alert };
    return { title: shownText(alert?.title), body: shownText(alert?.body) };
  }

  private problemOf(request: ArrivedRequest, token: string): ApnsReason | undefined {
    if (!request.path.startsWith(PREFIX)) return 'BadPath';
    if (request.method !== 'POST') return 'MethodNotAllowed';
    if (token === '') return 'MissingDeviceToken';
    return (
      this.providerTokens.problemOf(request.headers.authorization, request.connection) ??
      headerProblem(request.headers, this.bundleId) ??
      sizeProblem(request.body.length, request.headers) ??
      (HEX.test(token) || isConventional(token) ? undefined : 'BadDeviceToken')
    );
  }

  private refusal(status: number, code: string, apnsId: string, retryAfter?: number | string): Refused {
    const timestamp = status === 410 ? { timestamp: this.clock.now().getTime() - DEAD_SINCE_MS } : {};
    const answer = apnsRefused(status, code, apnsId, { ...timestamp, ...(retryAfter !== undefined && { retryAfter }) });
    return { code, answer };
  }
}

/** The caller's id, or one of our own when it gave none (or none that APNs would take). */
function idOf(request: ArrivedRequest): string {
  const given = request.headers['apns-id'];
  return typeof given === 'string' && given.length === 36 ? given : randomUUID().toUpperCase();
}

function detailsOf(request: ArrivedRequest, apnsId: string): Record<string, string> {
  const details: Record<string, string> = { 'apns-id': apnsId };
  for (const name of SHOWN_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') details[name] = value;
  }
  return details;
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
