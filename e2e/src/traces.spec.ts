import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@postrider/testing';
import { type CollectedSpan, type Collector, startCollector } from '@postrider/platform/testing/collector';
import { connectDevice, register } from './support/device';
import { type Postrider, startPostrider } from './support/postrider';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('the trace of a message', () => {
  let collector: Collector;
  let postrider: Postrider;
  let receiver: Server;

  beforeAll(async () => {
    collector = await startCollector();
    receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
    postrider = await startPostrider({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { hasPromo: true });
  });

  afterAll(async () => {
    await postrider.stop();
    receiver.close();
    await collector.close();
  });

  const spans = (holds: (span: CollectedSpan) => boolean): Promise<CollectedSpan[]> =>
    until(() => Promise.resolve(collector.spans.some(holds) ? collector.spans.filter(holds) : null));

  it('has its id and leads through every process, from the request to the receiver of its webhook', async () => {
    const { server, client, serverToken } = await postrider.createApplication('shop');
    const { port } = receiver.address() as AddressInfo;
    await server.call('POST', '/api/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['message.done'] });
    for (const [userId, deviceToken] of Object.entries({ nilufar: 'nilufar-pixel', omid: 'omid-galaxy' }))
      await client.call('POST', '/api/installations', { userId, deviceType: 'android', deviceToken });

    const answer = await fetch(`${postrider.system.gatewayUrl}/api/push/byQuery`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-access-token': serverToken,
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
      },
      body: JSON.stringify({ target: { deviceType: 'android' }, content: 'Tea at four', useAsAlert: true }),
    });
    expect(await answer.json()).toEqual({ count: 2 });
    const message = answer.headers.get('x-message-id') ?? '';
    const traceId = message.replaceAll('-', '');

    await spans((span) => span.name === 'send webhook event' && span.traceId === traceId);
    const trace = await spans((span) => span.traceId === traceId);
    const [accepted, ...others] = trace.sort((one, other) => one.startMs - other.startMs);
    expect(accepted).toMatchObject({
      service: 'postrider-gateway',
      name: 'accept message',
      attributes: { 'postrider.application': 'shop', 'postrider.message': message, 'postrider.devices': 2 },
    });
    expect(new Set(others.map(({ service, name }) => `${service} ${name}`))).toEqual(
      new Set([
        'postrider-audience-worker resolve slice',
        'postrider-delivery-worker attempt page',
        'postrider-delivery-worker send webhook event',
      ]),
    );
    expect(new Set(others.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([accepted?.spanId]));
    expect(others.find(({ name }) => name === 'attempt page')?.attributes).toMatchObject({
      'postrider.vendor': 'fcm',
      'postrider.devices': 2,
      'postrider.devices.sent': 2,
      'postrider.answers.accepted': 2,
    });

    const [request] = await spans(({ links }) => links.some((link) => link.traceId === traceId));
    expect(request).toMatchObject({ name: 'POST /api/push/byQuery', links: [CALLER, { traceId }] });
    expect(accepted?.links).toEqual([{ traceId: request?.traceId, spanId: request?.spanId }]);
    expect(request?.traceId).not.toBe(CALLER.traceId);
  });

  it('is one among those of connections and uploads', async () => {
    const { client, server, clientToken, serverToken } = await postrider.createApplication('tea');
    const device = await register(client, { appId: 'tea', token: clientToken, userId: 'nilufar' });
    const connected = await connectDevice(postrider.system.mqtt?.url ?? '', device);
    connected.client.end();
    const [connect] = await spans(({ name }) => name === 'connect');
    expect(connect).toMatchObject({
      service: 'postrider-device-edge',
      attributes: { 'postrider.application': 'tea', 'postrider.outcome': 'admitted' },
    });

    const form = new FormData();
    form.append('file', new Blob(['A-1\nA-2\n']), 'codes.csv');
    const url = `${postrider.system.gatewayUrl}/apps/tea/api/containers/updateGlobalPromoCodes`;
    await fetch(url, { method: 'POST', headers: { 'x-access-token': serverToken }, body: form });
    const { body: set } = await server.call<{ id: string }>('GET', '/api/promo/sets/tea');
    const [imported] = await spans(({ name }) => name === 'import promo set');
    expect(imported).toMatchObject({
      service: 'postrider-promo-worker',
      traceId: set.id.replaceAll('-', ''),
      attributes: { 'postrider.outcome': 'in_force', 'postrider.total': 2 },
    });
  });

  it('names no user, no token and nothing of what was said, and its last spans arrive when the processes stop', async () => {
    const { server } = await postrider.createApplication('late');
    await server.call('POST', '/api/push/toUsers', { user: 'nilufar', content: 'Tea at four', useAsAlert: true });
    postrider.system.kill('gateway', 'SIGTERM');
    await spans(({ attributes }) => attributes['postrider.application'] === 'late');
    // The gateway is started again, for whichever test comes next.
    await until(() =>
      fetch(`${postrider.system.gatewayUrl}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(JSON.stringify(collector.spans)).not.toMatch(/nilufar|omid|pixel|galaxy|Tea at four|pr_[0-9a-f]/);
  });
});
