import { deliveryStateRank } from '@postrider/domain';
import type { IClientOptions } from 'mqtt';
import { untilTrue } from '@postrider/testing';
import { devicesOnEdge } from './testing/devices-on-edge';

/** A device that refuses each message (PUBACK with 0x83, implementation specific error). */
const REFUSES: IClientOptions = {
  protocolVersion: 5,
  customHandleAcks: (_topic, _message, _packet, done) => done(0x83),
};

describe('a delivery that fails over the connection', () => {
  const at = devicesOnEdge(['shop']);
  const events = (): Promise<{ data: Record<string, unknown> }[]> =>
    at.ledger.database.query(`SELECT data FROM webhook_events WHERE type = 'delivery.failed'`);
  const failed = (messageId: string): Promise<void> =>
    untilTrue(async () => (await at.ledger.states(messageId)).some(({ state }) => state === 'failed'));

  beforeAll(() =>
    at.ledger.database.query(
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
       VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{delivery.failed}', '', now(), now())`,
    ),
  );
  beforeEach(() => at.ledger.database.query(`DELETE FROM webhook_events`));

  it('is told to webhooks when the device refuses a message that it got while connected', async () => {
    const [ann, bob] = [await at.ledger.device('shop', 'ann'), await at.ledger.device('shop', 'bob')];
    await at.subscribed(ann, REFUSES);
    await at.subscribed(bob);
    const id = await at.ledger.send('shop', ['ann', 'bob']);
    await failed(id);
    expect(await events()).toEqual([
      {
        data: {
          ...{ messageId: id, trackId: null, count: 1 },
          deliveries: [
            {
              ...{ installationId: ann.installationId, userId: 'ann', vendor: 'connection', attempt: 0 },
              ...{ errorCode: 'refused_by_device', reason: 'The device refused it (reason 131)' },
              ...{ language: null, variant: null, failedAt: expect.any(String) },
            },
          ],
        },
      },
    ]);
  });

  it('is told to webhooks when the device refuses a message that waited for it', async () => {
    const ann = await at.ledger.device('shop', 'ann', { connected_at: new Date() });
    const id = await at.ledger.send('shop', ['ann']);
    expect(await at.ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'connection' }]);
    await at.subscribed(ann, REFUSES);
    await failed(id);
    expect(await events()).toMatchObject([{ data: { messageId: id, count: 1, deliveries: [{ userId: 'ann' }] } }]);
  });

  it('is not told by the edge when a push service was to have the message as well: its page tells of it', async () => {
    await at.ledger.database.query(
      `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'fcm', '{}', '')`,
    );
    const ann = await at.ledger.device('shop', 'ann', { realtime: true, push_type: 'fcm', token: 'token of ann' });
    const id = await at.ledger.send('shop', ['ann']);
    await at.subscribed(ann, REFUSES);
    await failed(id);
    expect(await at.ledger.states(id)).toMatchObject([{ vendor: 'fcm' }]);
    expect(await events()).toEqual([]);
  });

  it.each<[string, IClientOptions]>([
    ['is too large for the device', { protocolVersion: 5, properties: { maximumPacketSize: 60 } }],
    ['is refused by the device', REFUSES],
  ])('ends the waiting of a message that a push service had too, if it %s', async (_, options) => {
    const ann = await at.ledger.device('shop', 'ann', { connected_at: new Date() });
    const id = await at.ledger.send('shop', ['ann']);
    await at.ledger.database.query(
      `UPDATE deliveries SET vendor = 'fcm', state = 'sent', rank = $2, in_inbox = true WHERE message_id = $1`,
      [id, deliveryStateRank('sent')],
    );
    await at.subscribed(ann, options);
    const isKept = async (): Promise<boolean> => {
      const kept: unknown[] = await at.ledger.database.query(
        `SELECT FROM deliveries WHERE message_id = $1 AND in_inbox`,
        [id],
      );
      return kept.length > 0;
    };
    await untilTrue(async () => !(await isKept()));
    expect(await at.ledger.states(id)).toMatchObject([{ state: 'sent', vendor: 'fcm' }]);
  });
});
