import { configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('a notification for one user', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop');
    const headers = { 'x-access-token': token };
    await configureVendor(gateway.database, 'shop', 'fcm');
    await gateway.request('POST', '/api/installations', {
      body: { userId: 'ada', deviceType: 'android', deviceToken: 'ada-1' },
      headers,
    });
  });

  afterAll(() => gateway.close());

  const post = (path: string, body: unknown, headers = {}): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/${path}`, { body, headers: { 'x-access-token': token, ...headers } });

  it('is the whole body, and is accepted as a vendor push', async () => {
    const answer = await post('notifyUser/ada', { title: 'Parcel', body: 'On its way', clickUrl: 'shop://17' });
    expect(answer).toMatchObject({ status: 200, body: { count: 1 } });
    const shown = await gateway.request('GET', `/api/push/messages/${answer.headers['x-message-id'] as string}`, {
      headers: { 'x-access-token': token },
    });
    expect(shown.body).toMatchObject({
      kind: 'notify',
      content: { content: 'On its way', notification: { title: 'Parcel', body: 'On its way', clickUrl: 'shop://17' } },
    });
    expect(await post('notifyUser/nobody', { title: 'Parcel' })).toMatchObject({ status: 200, body: { count: 0 } });
  });

  it('is told what is wrong in its own fields', async () => {
    const detailsOf = ({ body }: TestAnswer): string[] =>
      body.error.details.map(({ path }: { path: string }) => path) as string[];
    expect(detailsOf(await post('notifyUser/ada', { body: 'x' }))).toEqual(['title']);
    expect(detailsOf(await post('notifyUser/ada', { title: 'x', clickUrl: 'javascript:1', body: 5 }))).toEqual([
      'body',
      'clickUrl',
    ]);
    expect(detailsOf(await post('notifyUser/*', { title: 'x' }))).toEqual(['userId']);
    expect(await post('notifyUser/ada', [{ title: 'x' }])).toMatchObject({ status: 400 });
    expect(detailsOf(await post('notifyUser/ada', { title: '{{ user.name' }))).toEqual(['title']);
  });

  it('goes once under an idempotency key, which another user cannot share', async () => {
    const key = { 'idempotency-key': 'n1' };
    expect((await post('notifyUser/ada', { title: 'x' }, key)).headers['idempotent-replayed']).toBeUndefined();
    expect((await post('notifyUser/ada', { title: 'x' }, key)).headers['idempotent-replayed']).toBe('true');
    expect(await post('notifyUser/bob', { title: 'x' }, key)).toMatchObject({ status: 422 });
  });

  it('can also go to several users, by the older name of notifyUsers', async () => {
    expect(await post('notifyToUsers', { users: ['ada'], content: 'x', notification: { title: 'x' } })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
  });
});
