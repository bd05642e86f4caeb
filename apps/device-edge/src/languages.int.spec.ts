import { rows } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { devicesOnEdge } from './testing/devices-on-edge';

const at = devicesOnEdge(['shop']);

const languages = (messageId: string): Promise<{ user: string; state: string; language: string | null }[]> =>
  rows(
    at.ledger.database,
    `SELECT i.user_id AS user, d.state, d.language FROM deliveries d JOIN installations i ON i.id = d.device_id
     WHERE d.message_id = $1 ORDER BY i.user_id`,
    [messageId],
  );

const LOCALIZED = { fa: { content: 'سلام {{ user.id }}' }, de: { content: 'Hallo' } };

describe('a message in several languages over the connection', () => {
  it('comes to each device in its own, personal or not, and the delivery names it', async () => {
    const people = [
      await at.ledger.device('shop', 'ann', { locale: 'fa-IR' }),
      await at.ledger.device('shop', 'bob', { locale: 'fr' }),
      await at.ledger.device('shop', 'cat'),
    ];
    await at.ledger.database.query(`UPDATE users SET attributes = '{"locale":"de_DE"}' WHERE user_id = 'bob'`);
    const phones = await Promise.all(people.map((device) => at.subscribed(device)));
    const id = await at.ledger.send('shop', ['ann', 'bob', 'cat'], {
      content: { content: 'Hello', localized: LOCALIZED },
    });
    const got = await Promise.all(phones.map(async (phone) => (await phone.until(1))[0]?.body));
    expect(got.map((body) => body?.content)).toEqual(['سلام ann', 'Hallo', 'Hello']);
    expect(got.map((body) => body?.localized)).toEqual([undefined, undefined, undefined]);
    await untilTrue(async () => (await languages(id)).filter(({ state }) => state === 'delivered').length === 3);
    expect(await languages(id)).toEqual([
      { user: 'ann', state: 'delivered', language: 'fa' },
      { user: 'bob', state: 'delivered', language: 'de' },
      { user: 'cat', state: 'delivered', language: null },
    ]);
  });

  it('comes in the language of the moment to a device that connects later, whose delivery has a row already', async () => {
    const device = await at.ledger.device('shop', 'dan', { locale: 'en', connected_at: new Date() });
    const id = await at.ledger.send('shop', ['dan'], { content: { content: 'Hello', localized: LOCALIZED } });
    await untilTrue(async () => (await languages(id)).length === 1);
    expect(await languages(id)).toEqual([{ user: 'dan', state: 'pending', language: null }]);
    await at.ledger.database.query(`UPDATE installations SET locale = 'de-AT'`);
    const phone = await at.subscribed(device);
    expect((await phone.until(1))[0]?.body.content).toBe('Hallo');
    await untilTrue(async () => (await languages(id)).some(({ state }) => state === 'delivered'));
    expect(await languages(id)).toEqual([{ user: 'dan', state: 'delivered', language: 'de' }]);
  });
});
