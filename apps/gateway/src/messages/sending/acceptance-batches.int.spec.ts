import { UNSTEERED } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';
import { AcceptanceBatches } from './acceptance-batches.service';
import { draftMessage } from './draft-message';

describe('accepting messages of many requests at once', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'bob' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'bob' });
  });

  afterAll(() => gateway.close());

  const send = (body: object): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/toUsers?access_token=${token}`, { body });

  it('gives each request its own count and message, whatever else is sent meanwhile', async () => {
    const users = ['ada', 'bob', 'nobody'];
    const sends = Array.from({ length: 90 }, (_, n) => ({
      user: users[n % 3],
      content: `Number ${n}`,
      ...(n % 2 ? {} : { inApp: true }),
    }));
    const answers = await Promise.all(sends.map(send));
    const counts: Record<string, number> = { ada: 1, bob: 2, nobody: 0 };
    for (const [n, { user, inApp }] of sends.entries()) {
      expect(answers[n]).toMatchObject({ status: 200, body: { count: inApp ? 0 : counts[user ?? ''] } });
      const id = answers[n]?.headers['x-message-id'];
      const [message] = await rows<object>(
        gateway.database,
        `SELECT user_ids, content->>'content' AS text FROM messages WHERE id = $1`,
        [id],
      );
      expect(message).toEqual({ user_ids: [user], text: `Number ${n}` });
    }
  });

  it('carries requests with keys out once, each with its own answer, also where two share a key', async () => {
    const users = ['ada', 'bob', 'nobody'];
    const counts = [1, 2, 0];
    const requests = Array.from({ length: 60 }, (_, n) => ({ key: `parcel-${n >> 1}`, n: n >> 1 }));
    const sendAll = (): Promise<TestAnswer[]> =>
      Promise.all(
        requests.map(({ key, n }) =>
          gateway.request('POST', `/api/push/toUsers?access_token=${token}`, {
            body: { user: users[n % 3], content: `Parcel ${n}` },
            headers: { 'idempotency-key': key },
          }),
        ),
      );
    const [first, again] = [await sendAll(), await sendAll()];
    for (const [place, { n }] of requests.entries()) {
      expect([200, 409]).toContain(first[place]?.status);
      expect(again[place]).toMatchObject({
        status: 200,
        body: { count: counts[n % 3] },
        headers: { 'idempotent-replayed': 'true' },
      });
      const ids = [first[place], again[place]].flatMap((answer) => answer?.headers['x-message-id'] ?? []);
      expect(new Set(ids).size).toBe(1);
    }
    expect(
      await rows(gateway.database, `SELECT 1 FROM messages WHERE content->>'content' LIKE 'Parcel %'`),
    ).toHaveLength(30);
  });

  it('fails a message that the ledger refuses alone', async () => {
    const service = gateway.app.get(AcceptanceBatches);
    const acceptedAt = new Date();
    const draft = (user: string) =>
      draftMessage(
        {
          path: '',
          recipients: { kind: 'users', userIds: [user] },
          channel: 'public/default',
          content: { content: 'Hello', useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false },
          ttlSeconds: 60,
          steering: UNSTEERED,
        },
        { appId: 'shop', kind: 'users', acceptedAt },
        { firstAt: acceptedAt, lastAt: acceptedAt },
      );
    const [first, twin, other] = [draft('ada'), draft('ada'), draft('bob')];
    twin.message.id = first.message.id;
    const other2 = { ...other, message: { ...other.message, id: newId(acceptedAt) } };
    const outcomes = await Promise.allSettled([first, twin, other, other2].map((one) => service.accept(one as never)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ value: { count: 2 } });
    const written = await rows(gateway.database, `SELECT 1 FROM messages WHERE id = ANY ($1::uuid[])`, [
      [first.message.id, other.message.id, other2.message.id],
    ]);
    expect(written).toHaveLength(3);
  });
});
