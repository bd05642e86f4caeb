import { randomUUID } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import type { ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Summary } from '../vendor-api';
import { shownText } from '../shown-text';
import { decrypt } from './decrypt';
import type { Subscriptions } from './subscriptions';
import { Vapid } from './vapid';

const PREFIX = '/webpush/';
const MAX_BODY_BYTES = 4_096;
const MAX_TTL_SECONDS = 2_592_000;
const URGENCIES = ['very-low', 'low', 'normal', 'high'];
const SHOWN_HEADERS = ['ttl', 'urgency', 'topic'] as const;

/** Mozilla's `errno` for each status that is given without a more exact one. */
const ERRNO_BY_STATUS: Record<number, number> = {
  401: 109,
  403: 109,
  404: 102,
  410: 106,
  413: 104,
  500: 999,
  503: 201,
};

/**
 * A push service (RFC 8030) for the subscriptions made here: it has their private keys, so it can read the messages.
 */
export class WebPushApi implements VendorApi {
  readonly name = 'webpush';
  readonly takesMessages = true;
  private readonly vapid: Vapid;

  constructor(
    private readonly subscriptions: Subscriptions,
    clock: Clock,
  ) {
    this.vapid = new Vapid(clock);
  }

  owns(method: string, path: string): boolean {
    return method === 'POST' && path.startsWith(PREFIX);
  }

  receive(request: ArrivedRequest): Received {
    const id = request.path.slice(PREFIX.length);
    if (!this.subscriptions.isKnown(id)) return refusedWith(404, 102, 'no such subscription');
    const sender = this.vapid.read(request.headers.authorization, `https://${request.authority}`);
    if ('problem' in sender) return refusedWith(401, 109, sender.problem);
    if (!this.subscriptions.mayBeSentToBy(id, sender.publicKey))
      return refusedWith(403, 109, 'VAPID public key mismatch');
    const problem = headerProblem(request);
    if (problem !== undefined) return problem;
    const plain = decrypt(request.body, this.subscriptions.keysOf(id));
    if (plain === undefined) return refusedWith(400, 110, 'the body is not encrypted for this subscription');
    const details = detailsOf(request);
    return { kind: 'submitted', submission: { tokens: [id], payload: parsed(plain), details, isRehearsal: false } };
  }

  accept(): Acceptance {
    const vendorMessageId = randomUUID();
    return { answer: { status: 201, headers: { location: `/message/${vendorMessageId}` } }, vendorMessageId };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind === 'dead') return failure(410, 106, 'the subscription is no longer valid');
    if (refusal.kind === 'invalid') return failure(404, 102, 'no such subscription');
    const errno = Number(refusal.code ?? ERRNO_BY_STATUS[refusal.http] ?? 999);
    return failure(refusal.http, errno, refusal.code ?? 'the service is not well', refusal.retryAfter);
  }

  summarize(payload: unknown): Summary {
    if (typeof payload !== 'object' || payload === null) return { title: '', body: String(payload) };
    const { title, body } = payload as Record<string, unknown>;
    return { title: shownText(title), body: shownText(body) };
  }
}

function headerProblem({ headers, body }: ArrivedRequest): Received | undefined {
  const { ttl, urgency, topic } = headers;
  if (ttl === undefined) return refusedWith(400, 111, 'missing TTL');
  if (!/^\d{1,9}$/.test(String(ttl)) || Number(ttl) > MAX_TTL_SECONDS) return refusedWith(400, 112, 'bad TTL');
  if (headers['content-encoding'] !== 'aes128gcm') return refusedWith(400, 110, 'content-encoding must be aes128gcm');
  if (!URGENCIES.includes(String(urgency ?? 'normal'))) return refusedWith(400, 999, 'bad Urgency');
  if (!/^[\w-]{1,32}$/.test(String(topic ?? 'none'))) return refusedWith(400, 113, 'bad Topic');
  return body.length > MAX_BODY_BYTES ? refusedWith(413, 104, 'the body is longer than 4096 bytes') : undefined;
}

function detailsOf({ headers }: ArrivedRequest): Record<string, string> {
  const given = SHOWN_HEADERS.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, String(headers[name])]));
}

function parsed(plain: Buffer): unknown {
  const text = plain.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function refusedWith(status: number, errno: number, message: string): Received {
  const { code, answer } = failure(status, errno, message);
  return refused(code, answer);
}

function failure(status: number, errno: number, message: string, retryAfter?: number | string): Refused {
  return { code: String(status), answer: jsonAnswer(status, { code: status, errno, message }, retryAfter) };
}
