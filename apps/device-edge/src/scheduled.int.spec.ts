import { rows } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { devicesOnEdge } from './testing/devices-on-edge';

const at = devicesOnEdge(['shop']);

describe('a scheduled message over the connection', () => {
  it.each(['Hello', 'At {{ message.createdAt }}'])('%s: is dated by the time at which it was sent', async (content) => {
    const device = await at.ledger.device('shop', 'ann', { connected_at: new Date() });
    const id = await at.ledger.send('shop', ['ann'], { content: { content }, isHinted: false });
    await untilTrue(async () => (await at.ledger.states(id)).length === 1);
    const [sent] = await rows<{ sendAt: Date }>(
      at.ledger.database,
      `UPDATE messages SET send_at = accepted_at, accepted_at = accepted_at - interval '3 days' WHERE id = $1
       RETURNING send_at AS "sendAt"`,
      [id],
    );
    const phone = await at.subscribed(device);
    const sendAt = sent?.sendAt ?? new Date(0);
    expect((await phone.until(1))[0]?.body).toMatchObject({
      id,
      createdAt: sendAt.getTime(),
      content: content === 'Hello' ? content : `At ${sendAt.toISOString()}`,
    });
  });
});
