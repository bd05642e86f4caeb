import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { scrape } from '../metrics/scrape';
import type { HealthRegistry } from './health-registry';

/** A running health server. */
export interface HealthServer {
  /** The port it got, also when it was asked to pick one. */
  port: number;
  close(): Promise<void>;
}

/** The server's content and address. */
interface HealthServerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  health: HealthRegistry;
  metrics: Registry;
}

/** Serves `GET /health/live`, `/health/ready` and `/metrics` on a port that only monitors and orchestrators need to reach. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { host, port }: HealthServerOptions): Promise<void> {
  return new Promise((ready, fail) => {
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      ready();
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HealthServerOptions): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(response, 405, { error: 'Only GET' });
    return;
  }
  switch (request.url?.split('?')[0]) {
    case '/health/live': {
      send(response, 200, { status: 'live' });
      return;
    }
    case '/health/ready': {
      const report = await options.health.report();
      send(response, report.ready ? 200 : 503, report);
      return;
    }
    case '/metrics': {
      const text = await scrape(options.metrics);
      response.writeHead(200, { 'content-type': options.metrics.contentType });
      response.end(text);
      return;
    }
    default: {
      send(response, 404, { error: 'Not here: see /health/live, /health/ready, /metrics' });
      return;
    }
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
