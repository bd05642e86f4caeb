import { randomInt, randomUUID } from 'node:crypto';
import { type FuzzOperation, FuzzRequests, type FuzzSchema } from '../testing/fuzz-requests';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

/** Differs from run to run; a failure says it. */
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2_000);

interface Document {
  paths: Record<string, Record<string, Omit<FuzzOperation, 'method' | 'path'>>>;
  components: { schemas: Record<string, FuzzSchema> };
}

describe('requests made of the API document', () => {
  let gateway: TestGateway;
  let document: Document;
  let token: string | undefined;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    gateway = await startTestGateway({ requestsPerSecond: 0, publicDocs: true });
    for (const id of ['shop', 'spare', 'bare']) {
      const { body } = await gateway.request('POST', '/api/admin/apps', {
        body: { id, name: id },
        headers: { 'x-access-token': TEST_ADMIN_TOKEN },
      });
      token ??= (body as { tokens: { server: string } }).tokens.server;
    }
    document = (await gateway.request('GET', '/api/openapi.json')).body as Document;
    ids.installations = await make('/api/installations', { userId: 'ada', deviceType: 'android', realtime: true });
    ids.segments = await make('/api/segments', { name: 'all', target: { deviceType: 'android' } });
    ids.trackers = await make('/api/trackers', { name: 'tracker', destination: 'https://shop.example/' });
    ids.push = await make('/api/push/toUsers', { user: 'ada', content: 'Hello', trackId: 'spring' });
  });

  afterAll(() => gateway.close());

  async function make(path: string, body: unknown): Promise<string> {
    const { body: made, headers } = await gateway.request('POST', path, {
      body,
      headers: { 'x-access-token': token ?? '' },
    });
    return (made as { id?: string }).id ?? String(headers['x-message-id']);
  }

  /**
   * The check of credentials calls a vendor, so it is sent to an application without one. No setting of `shop` changes.
   */
  function known(path: string, name: string): string[] {
    if (path.startsWith('/api/admin/')) return adminKnown(path, name);
    if (name === 'messageId') return [ids.push ?? ''];
    return NAMED[name] ?? [ids[path.split('/')[2] ?? ''] ?? randomId];
  }

  const send = (method: string, url: string, headers: Record<string, string>, body?: string): Promise<TestAnswer> =>
    gateway.request(method, url, {
      body,
      headers: body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers },
    });

  it(`are answered as documented, ${REQUESTS} of them`, async () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): FuzzOperation => ({ ...operation, method, path })),
    );
    const fuzz = new FuzzRequests(SEED, document.components.schemas, known);
    const wrong: Record<string, unknown> = {};
    for (let index = 0; index < REQUESTS; index++) {
      const operation = operations[index % operations.length]!;
      const request = fuzz.next(operation);
      const isAdmin = operation.path.startsWith('/api/admin/');
      const headers = { ...request.headers, 'x-access-token': isAdmin ? TEST_ADMIN_TOKEN : (token ?? '') };
      const { status, body } = await send(request.method, request.url, headers, request.body);
      if (status < 500 && String(status) in operation.responses) continue;
      wrong[`${operation.method} ${operation.path} ${status}`] ??= {
        seed: SEED,
        index,
        request,
        body: body as unknown,
      };
    }
    expect(wrong).toEqual({});
  }, 600_000);

  it('are taken up to the limit of a list that is documented, and refused beyond', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const limit = get?.parameters?.find(({ name }) => name === 'limit')?.schema;
      if (get === undefined || limit === undefined) continue;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known(path, name)[0] ?? randomId);
      const named = path.startsWith('/api/admin/') ? TEST_ADMIN_TOKEN : (token ?? '');
      const refusalAt = async (value: number): Promise<boolean> => {
        const { body } = await send('GET', `${filled}?limit=${value}`, { 'x-access-token': named });
        return JSON.stringify(body).includes('"path":"limit"');
      };
      const most = Number(limit.maximum);
      expect([path, await refusalAt(most), await refusalAt(most + 1)]).toEqual([path, false, true]);
    }
  });
});

const randomId = randomUUID();

const NAMED: Record<string, string[]> = {
  provider: ['kavenegar', 'twilio', 'generic'],
  list: ['actions', 'links', 'revenue'],
  userId: ['ada'],
  user_id: ['ada'],
  trackId: ['spring'],
  track_id: ['spring'],
  channel: ['sport', 'default'],
  appId: ['shop'],
};

function adminKnown(path: string, name: string): string[] {
  if (name === 'vendor') return ['fcm', 'apns', 'hms', 'webpush', 'sms'];
  if (name === 'phone') return ['+31612345678'];
  return name === 'id' ? [path.endsWith('/check') ? 'bare' : 'spare'] : [randomId];
}
