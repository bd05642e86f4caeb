import type { AddressInfo } from 'node:net';
import { type FinishedWork, firstSpanOf, newId, Traces } from '@postrider/platform';
import fastify, { type FastifyInstance } from 'fastify';
import type { GatewayRequest, RequestFacts } from '../../auth/caller';
import { RequestSpans } from './request-spans.service';

describe('the spans of requests', () => {
  const message = newId();
  let works: FinishedWork[];
  let server: FastifyInstance;

  async function start(traces: Traces, refuse = false): Promise<string> {
    const spans = new RequestSpans(traces);
    server = fastify();
    server.addHook('onRequest', (request, _reply, done) => {
      const facts: RequestFacts = { identity: { kind: 'stranger' }, addressedAppId: undefined, appId: 'shop' };
      (request as GatewayRequest).facts = facts;
      done(refuse ? new Error('refused') : undefined);
    });
    server.addHook('onRequest', (request, _reply, done) => {
      spans.begin(request);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      spans.end(request, reply);
      done();
    });
    server.post('/users/:id', (request) => {
      const { facts } = request as GatewayRequest;
      facts.messageIds = [message];
      return { span: facts.span ?? null };
    });
    server.get('/health/live', () => ({ ok: true }));
    await server.listen({ port: 0, host: '127.0.0.1' });
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  beforeEach(() => (works = []));
  afterEach(() => server.close());

  const collected = (): Traces =>
    new Traces({ record: (work) => void works.push(work), close: () => Promise.resolve() });

  it('tell the route and never the URL, with links to the caller and to what was accepted', async () => {
    const address = await start(collected());
    const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };
    const traceparent = `00-${caller.traceId}-${caller.spanId}-00`;
    const url = `${address}/users/omid?access_token=pr_secret`;
    const answer = await fetch(url, { method: 'POST', headers: { traceparent } });
    const { span } = (await answer.json()) as { span: object };
    await fetch(`${address}/health/live`);
    expect(works).toEqual([
      {
        name: 'POST /users/:id',
        kind: 'server',
        place: { first: span },
        links: [caller, firstSpanOf(message)],
        startedAt: expect.any(Number),
        facts: {
          'http.request.method': 'POST',
          'http.route': '/users/:id',
          'http.response.status_code': 200,
          application: 'shop',
          request: 'req-1',
          error: undefined,
        },
        failure: undefined,
      },
    ]);
  });

  it('stand in their place for a request that is refused at once, as failed only when that is ours', async () => {
    const address = await start(collected(), true);
    await fetch(`${address}/users/omid`, { method: 'POST', headers: { traceparent: 'mine' } });
    expect(works).toMatchObject([{ place: { first: expect.anything() }, links: [], failure: '500' }]);
  });

  it('are not even drawn while nobody collects', async () => {
    const address = await start(new Traces());
    expect(await (await fetch(`${address}/users/omid`, { method: 'POST' })).json()).toEqual({ span: null });
  });
});
