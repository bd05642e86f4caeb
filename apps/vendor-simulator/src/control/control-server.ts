import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOn } from '../wire/listen';
import { CONTROL_CALLS, type ControlAnswer } from './control-calls';
import type { Controls } from './controls';

/** A hundred thousand phones with long tokens fit (`phones.shape.ts`). */
const MAX_BODY_BYTES = 67_108_864;

/** The plain HTTP port: the inbox as a page and as JSON, counts, faults, settings, Web Push subscriptions, health. */
export class ControlServer {
  private readonly server: Server;

  constructor(private readonly controls: Controls) {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** Starts listening; gives the port. */
  async listen(port: number, host: string): Promise<number> {
    return listenOn(this.server, port, host);
  }

  /** Stops listening and drops every connection. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.answerTo(request).catch(() => problem(400, 'the request could not be read'));
    response.writeHead(answer.status, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...answer.headers,
    });
    if (typeof answer.body === 'string' || answer.body === undefined) response.end(answer.body);
    else answer.body.on('error', () => response.destroy()).pipe(response);
  }

  private async answerTo(request: IncomingMessage): Promise<ControlAnswer> {
    const url = new URL(request.url ?? '/', 'http://control');
    const verbs = CONTROL_CALLS.get(url.pathname);
    if (verbs === undefined) return problem(404, `nothing is at ${url.pathname}`);
    const route = verbs[request.method === 'HEAD' ? 'GET' : (request.method ?? '')];
    if (route === undefined) return problem(405, `${url.pathname} takes ${Object.keys(verbs).join(', ')}`);
    const body = await jsonBody(request);
    return body === 'malformed'
      ? problem(400, 'the body is not JSON')
      : route(this.controls, url.searchParams, body.value);
  }
}

function problem(status: number, message: string): ControlAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ problems: [message] }) };
}

async function jsonBody(request: IncomingMessage): Promise<{ value: unknown } | 'malformed'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too long');
    chunks.push(chunk);
  }
  if (bytes === 0) return { value: undefined };
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch {
    return 'malformed';
  }
}
