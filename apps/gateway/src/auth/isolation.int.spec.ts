import { randomUUID } from 'node:crypto';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestGateway } from '../testing/test-gateway';

/** Values of the other application for paths that name something. */
interface Theirs {
  token: string;
  installationId: string;
  messageId: string;
  segmentId: string;
  draftId: string;
  templateId: string;
  trackerId: string;
  webhookId: string;
}

/** Endpoints that providers and browsers call without a token. */
const OPEN = /^\/api\/sms\/status\//;

describe('every endpoint, asked by another application', () => {
  let gateway: TestGateway;
  let mine: string;
  let theirs: Theirs;
  let operations: { method: string; path: string }[];

  beforeAll(async () => {
    gateway = await startTestGateway({ allowPrivateEndpoints: true, publicDocs: true, trustedProxies: 1 });
    mine = await gateway.application('mine');
    theirs = await furnish(await gateway.application('theirs'));
    const { paths } = (await gateway.request('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, unknown>>;
    };
    operations = Object.entries(paths)
      .flatMap(([path, item]) => Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })))
      .filter(({ path }) => !OPEN.test(path));
  });

  afterAll(() => gateway.close());

  /** Gives the other application one of everything. */
  async function furnish(token: string): Promise<Theirs> {
    const call = async (path: string, body: unknown): Promise<Record<string, string>> => {
      const answer = await gateway.request('POST', path, { body, headers: { 'x-access-token': token } });
      expect([path, answer.status]).toEqual([path, expect.toBeOneOfSuccess()]);
      return { ...(answer.body as object), message: answer.headers['x-message-id'] as string };
    };
    const device = await call('/api/installations', { userId: 'ada', deviceType: 'android', realtime: true });
    await call('/api/installations/addTags', { userId: 'ada', tags: ['secret-tag'] });
    const { message } = await call('/api/push/toUsers', {
      user: 'ada',
      content: 'secret content',
      trackId: 'secret-track',
    });
    const segment = await call('/api/segments', { name: 'secret segment', target: { deviceType: 'android' } });
    const draft = await call('/api/drafts', { name: 'secret draft', message: { content: 'secret' } });
    const template = await call('/api/templates', { name: 'secret template', message: { content: 'secret' } });
    const tracker = await call('/api/trackers', { name: 'secret tracker', destination: 'https://shop.example/' });
    const webhook = await call('/api/webhooks', { url: 'http://127.0.0.1:9/secret', events: ['message.done'] });
    return {
      token,
      installationId: device.id!,
      messageId: message!,
      segmentId: segment.id!,
      draftId: draft.id!,
      templateId: template.id!,
      trackerId: tracker.id!,
      webhookId: webhook.id!,
    };
  }

  /** A path with the other application's ids in it. */
  function fill(path: string): string {
    const ids: [RegExp, string][] = [
      [/installations/, theirs.installationId],
      [/segments/, theirs.segmentId],
      [/drafts/, theirs.draftId],
      [/templates/, theirs.templateId],
      [/trackers/, theirs.trackerId],
      [/webhooks/, theirs.webhookId],
      [/messages|campaigns/, theirs.messageId],
    ];
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (/user/i.test(name)) return 'ada';
      if (/track/i.test(name) && !path.includes('trackers')) return 'secret-track';
      if (name === 'messageId') return theirs.messageId;
      return ids.find(([room]) => room.test(path))?.[1] ?? randomUUID();
    });
  }

  it('is closed under the other application’s own address, and without a token', async () => {
    for (const [index, { method, path }] of operations.entries()) {
      const foreign = await gateway.request(method, `/apps/theirs${fill(path)}`, {
        // Wrong tokens on operators' routes are counted by address.
        headers: { 'x-access-token': mine, 'x-forwarded-for': `10.0.0.${index}` },
      });
      expect([method, path, foreign.status]).toEqual([method, path, 401]);
      const nobody = await gateway.request(method, fill(path));
      expect([method, path, nobody.status]).toEqual([method, path, 401]);
    }
    expect(operations.length).toBeGreaterThan(80);
  });

  it('shows nothing of the other application, and changes nothing, whatever ids it is given', async () => {
    const before = await snapshot();
    for (const { method, path } of operations.filter(({ path }) => !path.startsWith('/api/admin/'))) {
      for (const body of method === 'GET'
        ? [undefined]
        : [{}, { userId: 'ada', tags: ['x'], tag: 'x', value: 'y', name: 'x' }]) {
        const answer = await gateway.request(method, fill(path), { body, headers: { 'x-access-token': mine } });
        const text = JSON.stringify(answer.body);
        expect([method, path, answer.status, text.includes('secret')]).toEqual([method, path, answer.status, false]);
        expect([method, path, answer.status]).toEqual([method, path, expect.toBeNoFault()]);
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  /** What the other application sees of itself. */
  async function snapshot(): Promise<unknown> {
    const read = async (path: string, token = theirs.token): Promise<unknown> =>
      (await gateway.request('GET', path, { headers: { 'x-access-token': token } })).body;
    return {
      device: await read(`/api/installations/${theirs.installationId}`),
      tags: await read('/api/installations/tags/ada'),
      segments: await read('/api/segments'),
      drafts: await read('/api/drafts'),
      templates: await read('/api/templates'),
      trackers: await read('/api/trackers'),
      webhooks: await read('/api/webhooks'),
      message: await read(`/api/push/messages/${theirs.messageId}`),
      deliveries: await read(`/api/push/messages/${theirs.messageId}/deliveries`),
      tokens: (
        await gateway.request('GET', '/api/admin/apps/theirs/tokens', {
          headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
        })
      ).body,
    };
  }
});

expect.extend({
  toBeOneOfSuccess: (status: number) => ({
    pass: status >= 200 && status < 300,
    message: () => `${status} is no success`,
  }),
  toBeNoFault: (status: number) => ({ pass: status < 500, message: () => `${status} is a fault of ours` }),
});

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where Jest looks for matchers
  namespace jest {
    interface Expect {
      toBeOneOfSuccess(): unknown;
      toBeNoFault(): unknown;
    }
  }
}
