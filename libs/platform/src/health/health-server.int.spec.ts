import { createMetrics } from '../metrics/metrics';
import { Shutdown } from '../shutdown/shutdown';
import { HealthRegistry } from './health-registry';
import { type HealthServer, startHealthServer } from './health-server';

describe('the health server', () => {
  const shutdown = new Shutdown();
  const metrics = createMetrics('test');
  let server: HealthServer;
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);

  beforeAll(async () => {
    const health = new HealthRegistry(shutdown, metrics);
    health.register('postgres', () => Promise.resolve(), { critical: true });
    server = await startHealthServer({ host: '127.0.0.1', port: 0, health, metrics });
  });

  afterAll(() => server.close());

  it('answers whether the process lives and its metrics', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'live' });
    const scraped = await get('/metrics?x');
    expect(scraped.headers.get('content-type')).toContain('text/plain');
    expect(await scraped.text()).toContain('process_resident_memory_bytes{app="test"}');
  });

  it('answers 200 while ready and 503 once the process stops', async () => {
    const ready = await get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { ready: true, checks: { postgres: { ok: true } } },
    ]);
    shutdown.begin();
    const stopping = await get('/health/ready');
    expect([stopping.status, await stopping.json()]).toMatchObject([503, { ready: false, status: 'stopping' }]);
    expect((await get('/health/live')).status).toBe(200);
  });

  it('knows nothing else', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/health/live', { method: 'POST' })).status).toBe(405);
  });
});
