import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  json: { id: string; type: string; createdAt: string; appId: string; data: Record<string, unknown> };
}

/** An HTTP server that stands in for an application's backend, and behaves as badly as the test says. */
export class Receiver {
  readonly received: Received[] = [];
  /** Answers a request; the default is 204. */
  answer: (response: ServerResponse, request: Received) => void = (response) => void response.writeHead(204).end();
  mostAtOnce = 0;
  #atOnce = 0;
  #server!: Server;

  async start(): Promise<this> {
    this.#server = createServer((request, response) => this.#take(request, response));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    response.on('close', () => (this.#atOnce -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const json = JSON.parse(body) as Received['json'];
      const received = { path: request.url ?? '', headers: request.headers, body, json };
      this.received.push(received);
      this.answer(response, received);
    });
  }
}
