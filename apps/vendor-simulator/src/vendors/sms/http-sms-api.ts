import { randomUUID } from 'node:crypto';
import type { ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Summary } from '../vendor-api';

/** An SMS gateway of no special make: a JSON or form body with `to` and `text`, answered with an `id`. */
export class HttpSmsApi implements VendorApi {
  readonly name = 'sms';
  readonly takesMessages = true;

  owns(method: string, path: string): boolean {
    return path === '/sms' && (method === 'POST' || method === 'PUT');
  }

  receive(request: ArrivedRequest): Received {
    const payload = read(request);
    if (payload === undefined)
      return refused('bad_body', jsonAnswer(400, { error: 'the body is neither JSON nor a form' }));
    const { to, text } = payload;
    if (typeof to !== 'string' || to === '')
      return refused('no_recipient', jsonAnswer(400, { error: 'to is missing' }));
    if (typeof text !== 'string' || text === '')
      return refused('no_text', jsonAnswer(400, { error: 'text is missing' }));
    return { kind: 'submitted', submission: { tokens: [to], payload, details: {}, isRehearsal: false } };
  }

  accept(): Acceptance {
    const vendorMessageId = randomUUID();
    return { answer: jsonAnswer(200, { id: vendorMessageId, status: 'queued' }), vendorMessageId };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind !== 'status') return { code: 'bad_number', answer: jsonAnswer(422, { error: 'bad_number' }) };
    const code = refusal.code ?? 'unavailable';
    return { code, answer: jsonAnswer(refusal.http, { error: code }, refusal.retryAfter) };
  }

  summarize(payload: unknown): Summary {
    const { text } = payload as Record<string, unknown>;
    return { title: '', body: String(text) };
  }
}

function read(request: ArrivedRequest): Record<string, unknown> | undefined {
  const body = request.body.toString('utf8');
  if (!String(request.headers['content-type']).includes('json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value = JSON.parse(body) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
