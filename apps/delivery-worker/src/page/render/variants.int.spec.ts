import { type DeviceId, type FcmPayload, type JsonObject } from '@postrider/domain';
import { CampaignTestsRepository, type PageKey, variantOfUser } from '@postrider/persistence';
import { createRenderer } from '@postrider/rendering';
import { addWebhook } from '../../webhooks/testing/webhook-worker';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
const VARIANTS = [
  { name: 'A', weight: 1 },
  { name: 'B', weight: 1, content: 'Hi {{ user.id }}' },
];

describe('attempting a page of a message with variants', () => {
  const stage = usePageStage();

  function messageOf(content: object, devices: DeviceId[]): Promise<PageKey> {
    return stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now(), content: { ...FLAGS, ...content } });
  }

  /** Returns the text that each token got. */
  function texts(): Record<string, unknown> {
    return Object.fromEntries(
      stage.sender.requests.map(({ token, payload }) => [
        token,
        (JSON.parse(((payload as FcmPayload).message.data as { m: string }).m) as JsonObject).content,
      ]),
    );
  }

  it.each([true, false])(
    'gives each device what its user’s variant says, and counts it (packs: %p)',
    async (packDeliveries) => {
      const devices = await stage.addDevices(24);
      // Each user has two devices.
      await stage.ledger.run(`UPDATE installations SET user_id = 'user' || (id / 2)`);
      const content = { content: 'Hello', trackId: 'spring', variants: VARIANTS };
      const key = await messageOf(content, devices);
      await stage.worker({ makeRenderer: createRenderer, packDeliveries }).attempt('fcm', key);
      const owned = await stage.database.dataSource.query<{ token: string; user_id: string }[]>(
        'SELECT token, user_id FROM installations',
      );
      const expected = owned.map(({ token, user_id }) => {
        const variant = variantOfUser({ appId: APP_ID, id: key.messageId, content }, user_id);
        return [token, variant === 'A' ? 'Hello' : `Hi ${user_id}`];
      });
      expect(texts()).toEqual(Object.fromEntries(expected));
      expect(new Set(Object.values(texts()).map((text) => String(text).slice(0, 2)))).toEqual(new Set(['He', 'Hi']));

      const tests = new CampaignTestsRepository(stage.database.dataSource);
      const campaign = { appId: APP_ID, messageId: key.messageId, content, winnerVariant: null };
      const figures = await tests.count(stage.database.dataSource, campaign);
      expect(figures.map(({ part, sent }) => [part, sent])).toEqual(
        ['Hello', 'Hi'].map((begin, part) => [part, expected.filter(([, text]) => text?.startsWith(begin)).length]),
      );
      const userCount = new Set(owned.map(({ user_id }) => user_id)).size;
      expect(figures.reduce((sum, { users }) => sum + users, 0)).toBe(userCount);
    },
  );

  it('tells webhooks of failed deliveries which variant it was', async () => {
    await addWebhook(stage.database, APP_ID, 'https://example.com/', ['delivery.failed']);
    const devices = await stage.addDevices(8);
    await stage.ledger.run(`UPDATE installations SET user_id = 'user' || id`);
    const content = { content: 'Hello', trackId: 'spring', variants: VARIANTS };
    const [tested, plain] = [await messageOf(content, devices), await messageOf({ content: 'Hello' }, devices)];
    stage.sender.answer = () => ({ kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'no' });
    const worker = stage.worker();
    for (const key of [tested, plain]) await worker.attempt('fcm', key);
    await worker.complete();
    const told = await stage.ledger.run<{
      data: { messageId: string; deliveries: { userId: string; variant: string | null }[] };
    }>(`SELECT data FROM webhook_events WHERE type = 'delivery.failed'`);
    const deliveriesOf = ({ messageId }: PageKey) =>
      told.find(({ data }) => data.messageId === messageId)?.data.deliveries ?? [];
    expect(deliveriesOf(tested)).toHaveLength(8);
    for (const { userId, variant } of deliveriesOf(tested)) {
      expect(variant).toBe(variantOfUser({ appId: APP_ID, id: tested.messageId, content }, userId));
    }
    expect(deliveriesOf(plain).map(({ variant }) => variant)).toEqual(devices.map(() => null));
  });

  it('gives who waited for it the winner', async () => {
    const devices = await stage.addDevices(10);
    const winner = { metric: 'opened', after: 60, share: 1 };
    const key = await messageOf(
      {
        content: 'Hello',
        variants: [
          { name: 'A', weight: 1 },
          { name: 'B', weight: 1, content: 'Bye' },
        ],
        winner,
      },
      devices,
    );
    await stage.ledger.run(`UPDATE messages SET winner_variant = 'B'`);
    await stage.worker({ makeRenderer: createRenderer }).attempt('fcm', key);
    const gotBye = Object.values(texts()).filter((text) => text === 'Bye').length;
    expect(gotBye).toBeGreaterThanOrEqual(9);
  });
});
