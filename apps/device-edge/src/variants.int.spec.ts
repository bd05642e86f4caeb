import { placesOfUser, variantOfUser } from '@postrider/persistence';
import { devicesOnEdge } from './testing/devices-on-edge';

const USERS = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'jon'];
const VARIANTS = [
  { name: 'A', weight: 1 },
  { name: 'B', weight: 1, content: 'Hi {{ user.id }}', localized: { fa: { content: 'سلام' } } },
];

describe('a message with variants over the connection', () => {
  const at = devicesOnEdge(['shop']);

  it('comes to each device in the variant of its user, in its language', async () => {
    const devices = await Promise.all(
      USERS.map((user, place) => at.ledger.device('shop', user, place % 2 === 0 ? { locale: 'fa' } : {})),
    );
    const phones = await Promise.all(devices.map((device) => at.subscribed(device)));
    const content = { content: 'Hello', trackId: 'spring', variants: VARIANTS };
    const id = await at.ledger.send('shop', USERS, { content });
    const got = await Promise.all(phones.map(async (phone) => (await phone.until(1))[0]?.body));
    const expected = USERS.map((user, place) => {
      if (variantOfUser({ appId: 'shop', id, content }, user) === 'A') return 'Hello';
      return place % 2 === 0 ? 'سلام' : `Hi ${user}`;
    });
    expect(new Set(expected).size).toBeGreaterThan(2);
    expect(got.map((body) => body?.content)).toEqual(expected);
    expect(got.map((body) => body?.variants)).toEqual(USERS.map(() => undefined));
  });

  it('is the winner for who waited for it, also on an edge that knows the message from before', async () => {
    const content = {
      ...{ content: 'Hello', trackId: 'spring' },
      variants: [VARIANTS[0], { name: 'B', weight: 1, content: 'Bye' }] as { name: string; weight: number }[],
      winner: { metric: 'opened' as const, after: 60, share: 1 },
    };
    const isInRest = (user: string): boolean =>
      placesOfUser({ appId: 'shop', salt: 'track spring' }, user).share >= 2 ** 32 / 100;
    const [first, second] = USERS.filter(isInRest);
    const [one, other] = [
      await at.ledger.device('shop', first ?? '', { connected_at: new Date() }),
      await at.ledger.device('shop', second ?? '', { connected_at: new Date() }),
    ];
    const id = await at.ledger.send('shop', [first ?? '', second ?? ''], { content });
    expect((await (await at.subscribed(one)).until(1))[0]?.body.content).toBe('Hello');
    await at.ledger.database.query(`UPDATE messages SET winner_variant = 'B' WHERE id = $1`, [id]);
    expect((await (await at.subscribed(other)).until(1))[0]?.body.content).toBe('Bye');
  });
});
