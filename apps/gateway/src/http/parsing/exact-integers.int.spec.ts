import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const LARGE = '9007199254740993';
const SEGMENT = `{"all":[{"name":"order","operator":"equal_to","value":${LARGE}}]}`;

describe('an integer that JSON would round', () => {
  let gateway: TestGateway;
  let server: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
  });

  afterAll(() => gateway.close());

  const call = (method: string, path: string, body: string): Promise<TestAnswer> =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': server } });

  it.each([
    ['POST', 'installations/attributes', `{"userId":"ada","attributes":{"order":${LARGE}}}`, 'attributes.order'],
    [
      'POST',
      'installations/track',
      `{"userId":"ada","eventName":"e","eventData":{"value":${LARGE}}}`,
      'eventData.value',
    ],
    [
      'POST',
      'installations/trackBulk',
      `[{"userId":"ada","eventName":"e","eventData":{"value":${LARGE}}}]`,
      '[0].eventData.value',
    ],
    ['POST', 'installations/trackPurchase', `{"userId":"ada","eventName":"e","revenue":${LARGE}}`, 'revenue'],
    ['POST', 'installations/trackRevenue', `{"userId":"ada","revenue":${LARGE}}`, 'revenue'],
    ['POST', 'segments', `{"name":"Big","segment":${SEGMENT}}`, 'segment.all[0].value'],
    ['PUT', 'segments/5', `{"name":"Big","segment":${SEGMENT}}`, 'segment.all[0].value'],
    ['POST', 'segments/count', `{"segment":${SEGMENT}}`, 'segment.all[0].value'],
    ['POST', 'segments/explain', `{"userId":"ada","segment":${SEGMENT}}`, 'segment.all[0].value'],
    ['POST', 'segments/export', `{"segment":${SEGMENT}}`, 'segment.all[0].value'],
  ])('is refused with its path: %s %s', async (method, route, body, path) => {
    const { status, body: answer } = await call(method, route, body);
    expect(status).toBe(400);
    expect(answer.error.details).toEqual([
      { path, message: 'is an integer that a JSON number cannot represent exactly; send it as text' },
    ]);
  });

  it('does not refuse what a device reports, which the device would only lose', async () => {
    const device = `{"userId":"ada","deviceType":"android","deviceToken":"ada-1","serial":${LARGE}}`;
    const { status, body } = await call('POST', 'installations', device);
    expect(status).toBe(200);
    const info = `{"installationId":"${body.id}","data":{"serial":${LARGE}}}`;
    expect((await call('PUT', 'installations/userInfo', info)).status).toBe(200);
  });
});
