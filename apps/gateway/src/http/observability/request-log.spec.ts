import type { AddressInfo } from 'node:net';
import type { Logger } from '@postrider/platform';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { GatewayRequest } from '../../auth/caller';
import { HttpMetrics, RequestLog } from './request-log.service';

describe('the log of requests', () => {
  const lines: unknown[] = [];
  const registry = new Registry();
  let server: FastifyInstance;
  let address: string;

  beforeAll(async () => {
    server = fastify();
    server.addHook('onRequest', (request, _reply, done) => {
      (request as GatewayRequest).facts = {
        identity: { kind: 'stranger' },
        addressedAppId: undefined,
        appId: 'shop',
        messageIds: ['m-1'],
      };
      done();
    });
    const logger = { info: (facts: object, event: string) => lines.push({ ...facts, event }) } as unknown as Logger;
    const log = new RequestLog(logger, new HttpMetrics(registry));
    server.addHook('onResponse', (request, reply, done) => {
      log.countAndLog(request, reply);
      done();
    });
    server.get('/users/:id', () => ({ ok: true }));
    server.get('/health/live', () => ({ ok: true }));
    await server.listen({ port: 0, host: '127.0.0.1' });
    address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  it('holds one line a request, with the route and never the URL: no token and no user gets into it', async () => {
    await fetch(`${address}/users/ada?access_token=pr_secret`, { headers: { authorization: 'Bearer pr_secret' } });
    await fetch(`${address}/health/live`);
    expect(lines).toEqual([
      {
        event: 'request.answered',
        requestId: expect.any(String),
        method: 'GET',
        route: '/users/:id',
        status: 200,
        durationMs: expect.any(Number),
        appId: 'shop',
        messageIds: ['m-1'],
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|ada/);
    expect(await registry.metrics()).toMatch(/_count\{route="\/users\/:id",method="GET",status="200"\} 1/);
  });
});
