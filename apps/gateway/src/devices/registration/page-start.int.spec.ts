import type { AddressInfo } from 'node:net';
import { systemClock } from '@postrider/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { rows } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { AppModule } from '../../app.module';
import { createApp } from '../../create-app';
import { startTestGateway, testConfig, type TestGateway } from '../../testing/test-gateway';

interface Device {
  id: string;
  userId: string;
}

let gateway: TestGateway;
let other: NestFastifyApplication;
let addresses: [string, string];
let token: string;
let pages = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  const config = testConfig(gateway.databaseUrl);
  other = await createApp(AppModule.forConfig(config, systemClock), config);
  await other.listen(0, '127.0.0.1');
  const { port } = other.getHttpServer().address() as AddressInfo;
  addresses = [gateway.address, `http://127.0.0.1:${port}`];
  await gateway.application('shop');
  token = await gateway.token('shop', ['devices']);
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});

/** What a page reports about itself until it ends. */
const newFacts = () => ({
  deviceType: 'web',
  launchTime: Date.now() - 1_000_000 + pages++,
  installDate: Date.now(),
  deviceToken: 'disabled',
});

/** A page that starts. */
class Page {
  constructor(
    private readonly agent = 'Firefox',
    private readonly facts = newFacts(),
  ) {}

  get launchTime(): number {
    return this.facts.launchTime;
  }

  guest(on = addresses[0], name = 'guest-1'): Promise<Device> {
    return this.#send('POST', `${on}/api/installations`, { userId: name, isGuest: true, isLoggedIn: false });
  }

  user(userId: string, on = addresses[0]): Promise<Device> {
    return this.#send('POST', `${on}/api/installations`, {
      userId,
      isGuest: false,
      isLoggedIn: true,
      registerTs: null,
    });
  }

  put(id: string, changes: object, on = addresses[0]): Promise<Device> {
    return this.#send('PUT', `${on}/api/installations/${id}`, changes);
  }

  /** Another browser's page with the same facts. */
  in(agent: string): Page {
    return new Page(agent, this.facts);
  }

  async #send(method: string, url: string, fields: object): Promise<Device> {
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', 'user-agent': this.agent, 'x-access-token': token },
      body: JSON.stringify({ ...this.facts, ...fields }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Device;
  }
}

const ownerOf = async (id: string): Promise<string> => {
  const headers = { 'x-access-token': token };
  return ((await gateway.request('GET', `/api/installations/${id}`, { headers })).body as Device).userId;
};

describe('a page that registers its guest and its user as it starts', () => {
  it('is one installation, its user’s, in whichever order two gateways get to it', async () => {
    for (let round = 0; round < 20; round++) {
      const page = new Page();
      const [one, another] = addresses;
      const made =
        round % 2 === 0 ? [page.guest(one), page.user('ada', another)] : [page.user('ada', one), page.guest(another)];
      const [first, second] = await Promise.all(made);
      expect(first?.id).toBe(second?.id);
      expect(await ownerOf(first?.id ?? '')).toBe('ada');
    }
  });

  it.each(['the guest', 'the user'])(
    'is its user’s when two gateways wait for it at once, and %s has their turn first',
    async (first) => {
      const page = new Page();
      const { id } = await page.guest();
      await rows(gateway.database, `DELETE FROM installations WHERE app_id = 'shop' AND installation_id = $1`, [id]);
      const turns = async (): Promise<number> => {
        const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        return (await rows(gateway.database, waiting)).length;
      };
      const [one, another] = addresses;
      const register = { 'the guest': () => page.guest(one), 'the user': () => page.user('ada', another) };
      const second = first === 'the guest' ? 'the user' : 'the guest';

      const holder = gateway.database.createQueryRunner();
      await holder.startTransaction();
      await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('shop ' || $1, 0))`, [id]);
      const made = [register[first as typeof second]()];
      await untilTrue(async () => (await turns()) === 1);
      made.push(register[second]());
      await untilTrue(async () => (await turns()) === 2);
      await holder.commitTransaction();
      await holder.release();

      expect((await Promise.all(made)).map((device) => device.id)).toEqual([id, id]);
      expect(await ownerOf(id)).toBe('ada');
    },
  );

  it('is its user’s when its guest comes last, and its guest is told whose it is', async () => {
    const page = new Page();
    const { id } = await page.user('ada');
    expect(await page.guest()).toMatchObject({ id, userId: 'ada' });
    expect(await ownerOf(id)).toBe('ada');
  });

  it('is another installation than that of another browser which started in the same millisecond', async () => {
    const page = new Page();
    const { id } = await page.guest();
    expect((await page.guest(addresses[1], 'guest-2')).id).not.toBe(id);
    expect((await page.in('Chromium').user('ada')).id).not.toBe(id);
    const signedIn = new Page();
    const { id: adas } = await signedIn.user('ada');
    expect((await signedIn.user('bob')).id).not.toBe(adas);
    expect(await ownerOf(adas)).toBe('ada');
  });
});

describe('registrations that come in another order than they were made in', () => {
  it('leave the device with whoever signed in last', async () => {
    const page = new Page();
    const { id } = await page.guest();
    const channels = { subscriptions: ['public/sport'] };
    expect((await page.put(id, { userId: 'bob', registerTs: 2_000, ...channels })).userId).toBe('bob');
    expect(await page.put(id, { userId: 'ada', registerTs: 1_000 }, addresses[1])).toMatchObject({ id, userId: 'bob' });
    expect(await page.put(id, { userId: 'guest-1', isGuest: true, subscriptions: [] })).toMatchObject({
      userId: 'bob',
    });
    expect(await ownerOf(id)).toBe('bob');
    expect((await page.put(id, { userId: 'ada', registerTs: 3_000 }, addresses[1])).userId).toBe('ada');
  });

  it('leave the device with its user, who signs in again while a guest of the visit before is on the way', async () => {
    const page = new Page();
    const { id } = await page.user('ada');
    const next = new Page();
    // The user's registration, which waits for no turn because the device already belongs to the user.
    const signingIn = gateway.database.createQueryRunner();
    await signingIn.startTransaction();
    const launch = new Date(next.launchTime);
    await signingIn.query(
      `UPDATE installations SET launch_time = $1, registration = registration || $2, updated_at = now()
       WHERE app_id = 'shop' AND installation_id = $3`,
      [launch, { registerTs: launch.getTime() + 100 }, id],
    );
    const guest = next.put(id, { userId: 'guest-1', isGuest: false, registerTs: null });
    await untilTrue(async () => {
      const waiting = `SELECT FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;
      return (await rows(gateway.database, waiting)).length > 0;
    });
    await signingIn.commitTransaction();
    await signingIn.release();
    expect((await guest).userId).toBe('ada');
    expect(await ownerOf(id)).toBe('ada');
  });

  it('do not hold up a device that says nothing of when it signed in', async () => {
    const page = new Page();
    const { id } = await page.guest();
    for (const userId of ['ada', 'bob', 'ada']) expect((await page.put(id, { userId })).userId).toBe(userId);
  });
});
