import { type JsonObject, readJsonObject } from '../json';
import { type Fetch, RestApi } from '../rest/rest-api';

/** One request that the service saw. */
export interface SeenCall {
  method: string;
  path: string;
  body: JsonObject;
}

/** A service of one application, in memory: it knows installations and takes events, and can be told to fail. */
export class FakeService {
  readonly calls: SeenCall[] = [];
  readonly installations = new Map<string, JsonObject>();
  /** Every event that was taken. */
  readonly events: JsonObject[] = [];
  /** The answers to the next requests, in place of the right ones; 0: none comes. */
  readonly failures: number[] = [];
  /** Extra fields of the next new installation. */
  emitted: JsonObject = {};
  /** How long it asks to wait with a 429. */
  retryAfter = '7';
  #made = 0;

  readonly fetch: Fetch = (url, { method, body }) => {
    const path = new URL(url).pathname.replace('/api/', '');
    const call = { method, path, body: readJsonObject(body ?? '{}') ?? {} };
    this.calls.push(call);
    const failure = this.failures.shift();
    if (failure === 0) return Promise.reject(new TypeError('fetch failed'));
    const [status, answer] = failure === undefined ? this.#answer(call) : [failure, { error: { code: 'TOLD_TO' } }];
    return Promise.resolve({
      ok: status === 200,
      status,
      headers: { get: (name: string) => (name === 'retry-after' && status === 429 ? this.retryAfter : null) },
      text: () => Promise.resolve(JSON.stringify(answer)),
    });
  };

  api(): RestApi {
    return new RestApi({ url: 'https://push.example', token: 't', timeoutMs: 1_000, fetch: this.fetch });
  }

  #answer({ method, path, body }: SeenCall): [number, JsonObject] {
    if (method === 'POST' && path === 'installations') return this.#register(`id-${++this.#made}`, body, this.emitted);
    if (path === 'installations/events') return this.#takeEvents(body);
    const id = path.split('/')[1] ?? '';
    const known = this.installations.get(id);
    if (!known) return [404, { error: { code: 'NOT_FOUND' } }];
    if (method === 'DELETE') this.installations.delete(id);
    return method === 'PUT' ? this.#register(id, body, {}) : [200, known];
  }

  #register(id: string, body: JsonObject, further: JsonObject): [number, JsonObject] {
    const before = this.installations.get(id);
    const kept = before?.userId === body.userId ? before?.subscriptions : undefined;
    const installation = { ...body, id, subscriptions: body.subscriptions ?? kept ?? [], tags: [], ...further };
    this.installations.set(id, installation);
    return [200, installation];
  }

  #takeEvents({ installationId, userId, eventData }: JsonObject): [number, JsonObject] {
    const known = this.installations.get(installationId as string);
    if (known?.userId !== userId) return [404, { error: { code: 'NOT_FOUND' } }];
    const events = eventData as JsonObject[];
    if (events.some(({ data }) => data === 'bad')) return [400, { error: { code: 'INVALID_REQUEST' } }];
    this.events.push(...events);
    return [200, { count: events.length }];
  }
}
