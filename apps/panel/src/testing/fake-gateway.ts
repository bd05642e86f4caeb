import type { paths } from '@postrider/server/document';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The body of a good answer, as the API document has it. */
type Answered<Path extends keyof paths, M extends Method> =
  paths[Path] extends Record<Lowercase<M>, { responses: infer Responses }> ? BodyIn<Responses> : never;
type BodyIn<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202
    ? Responses[Status] extends { content: { 'application/json': infer Body } }
      ? Body
      : null
    : never;
}[keyof Responses];

/** A request that came. */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  idempotencyKey: string | null;
}

interface Endpoint {
  method: Method;
  path: RegExp;
  answer: (asked: Asked) => Response | Promise<Response>;
}

/** The panel's counterpart in a test: it answers by the API document, and remembers the requests. */
export class FakeGateway {
  readonly asked: Asked[] = [];
  private readonly endpoints: Endpoint[] = [];

  /** Replaces the network. */
  install(): void {
    globalThis.fetch = (request) => this.take(request as Request);
  }

  /** Answers with a body, or with the result of a function of the request. A later answer to the same request wins. */
  answer<Path extends keyof paths, M extends Method>(
    method: M,
    path: Path,
    body: Answered<Path, M> | ((asked: Asked) => Answered<Path, M> | Promise<Answered<Path, M>>),
  ): void {
    const make = typeof body === 'function' ? (body as (asked: Asked) => unknown) : () => body;
    this.on(method, path, async (asked) => Response.json(await make(asked)));
  }

  /** Answers as the gateway does when it refuses. */
  refuse(
    method: Method,
    path: keyof paths | '/panel/session',
    status: number,
    error: { message: string; code?: string; details?: { path: string; message: string }[]; count?: number },
  ): void {
    this.on(method, path, () => Response.json({ error }, { status }));
  }

  /** Answers with a whole response, good or not, that a function makes of the request. */
  answerWith(method: Method, path: keyof paths | '/panel/session', answer: (asked: Asked) => Response): void {
    this.on(method, path, answer);
  }

  /** The requests of a method to a path. */
  askedFor(method: Method, path: keyof paths): Asked[] {
    const pattern = patternOf(path);
    return this.asked.filter((asked) => asked.method === method && pattern.test(asked.path));
  }

  private on(method: Method, path: string, answer: Endpoint['answer']): void {
    this.endpoints.unshift({ method, path: patternOf(path), answer });
  }

  private async take(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const asked = {
      method: request.method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      body,
      idempotencyKey: request.headers.get('idempotency-key'),
    };
    this.asked.push(asked);
    const endpoint = this.endpoints.find(({ method, path }) => method === request.method && path.test(pathname));
    if (endpoint === undefined) throw new Error(`No test answers ${request.method} ${pathname}`);
    return endpoint.answer(asked);
  }
}

/** An application's paths stand below `/apps/<id>`. */
function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^(?:/apps/[^/]+)?${parts.join('[^/]+')}$`);
}
