import { configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('the result of a message on single devices', () => {
  let gateway: TestGateway;
  let shop: string;
  let messageId: string;
  const devices: string[] = [];

  const call = (method: string, path: string, body?: unknown, token = shop): Promise<TestAnswer> =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, more: object): Promise<string> =>
    (await call('POST', 'installations', { userId, deviceType: 'android', ...more })).body.id;

  beforeAll(async () => {
    gateway = await startTestGateway();
    shop = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
    devices.push(await register('ada', { deviceToken: 'ada-1' }), await register('ada', {}));
    await register('omid', { deviceToken: 'omid-1' });
    const answer = await call('POST', 'push/toUsers', { user: 'ada', content: 'Hello', useAsAlert: true });
    messageId = String(answer.headers['x-message-id']);
    devices.push(await register('ada', { deviceToken: 'ada-late' }));
  });

  afterAll(() => gateway.close());

  it('is read for each device of a user, with the reason where it got nothing', async () => {
    const { status, body } = await call('GET', `push/messages/${messageId}/devices?userId=ada`);
    expect(status).toBe(200);
    expect(body.devices).toMatchObject([
      { installation: { id: devices[0] }, delivery: { state: 'pending', vendor: 'fcm' }, reason: null },
      { installation: { id: devices[1] }, delivery: expect.anything() },
      { installation: { id: devices[2] }, delivery: null, reason: expect.stringContaining('registered after') },
    ]);
    expect(body.devices[1].delivery).toMatchObject({ state: 'skipped' });
  });

  it('is read for a user whom the message is not for, and is empty for a user without devices', async () => {
    const omid = await call('GET', `push/messages/${messageId}/devices?userId=omid`);
    expect(omid.body.devices).toMatchObject([{ delivery: null, reason: 'The message is for other users' }]);
    expect((await call('GET', `push/messages/${messageId}/devices?userId=nobody`)).body).toEqual({ devices: [] });
  });

  it('is read for one device, with its installation and its fallback', async () => {
    const { body } = await call('GET', `push/messages/${messageId}/devices/${String(devices[0])}`);
    expect(body).toMatchObject({
      installation: { id: devices[0], userId: 'ada', pushType: 'fcm' },
      delivery: { state: 'pending', reason: expect.any(String) },
      fallback: null,
    });
  });

  it('is not found by another application, nor by what is no id', async () => {
    const other = await gateway.application('other');
    const paths = [
      `push/messages/${messageId}/devices?userId=ada`,
      `push/messages/${messageId}/devices/${String(devices[0])}`,
    ];
    for (const path of paths) expect((await call('GET', path, undefined, other)).status).toBe(404);
    expect((await call('GET', `push/messages/${messageId}/devices/none`)).status).toBe(404);
    expect((await call('GET', 'push/messages/none/devices?userId=ada')).status).toBe(404);
    expect(await call('GET', `push/messages/${messageId}/devices`)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'userId' }] } },
    });
  });
});
