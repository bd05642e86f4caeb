/** The content of a request. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer of the service, or the error of a connection. */
export type Planned = { status: number; body?: unknown; headers?: Record<string, string> } | { error: Error };

/** Stands in for the network: answers what was planned, one after the other, and the last one from then on. */
export class FakeService {
  readonly requests: SeenRequest[] = [];
  readonly fetch: typeof fetch;

  constructor(...planned: Planned[]) {
    this.fetch = async (input, init = {}) => {
      const { method = '', headers, body } = init;
      const seen = {
        method,
        url: input as string,
        headers: headers as Record<string, string>,
        body: await textOf(body),
      };
      this.requests.push(seen);
      return answerTo(planned.length > 1 ? planned.shift() : planned[0]);
    };
  }
}

function answerTo(plan: Planned = { error: new Error('nothing was planned') }): Response {
  if ('error' in plan) throw plan.error;
  const { status, body = {}, headers = {} } = plan;
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
}

/** An error as `fetch` throws it when a connection fails. */
export function connectionError(code: string): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });
}

/** The body of an error of the service. */
export function refusal(status: number, code: string, details: object[] = []): Planned {
  return { status, body: { error: { name: 'X', status, message: `it is ${code}`, code, details } } };
}

/** The answer of the service that lost its database during the request. */
export function lostDatabase(): Planned {
  const error = { name: 'Unavailable', status: 503, message: 'it is unknown', code: 'UNAVAILABLE', outcome: 'unknown' };
  return { status: 503, body: { error } };
}

async function textOf(body: unknown): Promise<string> {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
