import { rows } from '@postrider/persistence';
import { addDevice, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { moveSubscriptions } from './move-subscriptions';

const KEYS = '"expirationTime":null,"keys":{"auth":"a","p256dh":"p"}}';

describe('the browsers of the demonstration', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await rows(
      throwAway.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('demo', 'Demo', ''), ('shop', 'Shop', '')`,
    );
  });
  afterAll(() => throwAway.drop());

  async function subscribe(appId: string, endpoint: string): Promise<string> {
    const installationId = await addDevice(throwAway.dataSource, { appId, userId: 'ada', vendor: 'webpush' });
    await rows(throwAway.dataSource, 'UPDATE installations SET token = $2 WHERE installation_id = $1', [
      installationId,
      `{"endpoint":"${endpoint}",${KEYS}`,
    ]);
    return installationId;
  }

  async function tokenOf(installationId: string): Promise<string | undefined> {
    const [found] = await rows<{ token: string }>(
      throwAway.dataSource,
      'SELECT token FROM installations WHERE installation_id = $1',
      [installationId],
    );
    return found?.token;
  }

  it('are reached at the port that the simulator has by now', async () => {
    const browser = await subscribe('demo', 'https://127.0.0.1:3443/webpush/q1w2');
    await moveSubscriptions(throwAway.dataSource, 'demo', 'https://127.0.0.2:4443');
    const moved = `{"endpoint":"https://127.0.0.2:4443/webpush/q1w2",${KEYS}`;
    expect(await tokenOf(browser)).toBe(moved);
    await moveSubscriptions(throwAway.dataSource, 'demo', 'https://127.0.0.2:4443');
    expect(await tokenOf(browser)).toBe(moved);
  });

  it.each([
    ['demo', 'https://updates.push.services.mozilla.com/wpush/v2/q1w2'],
    ['shop', 'https://127.0.0.1:3443/webpush/e3r4'],
  ])('are those of the simulator alone, in this application: not in %s at %s', async (appId, endpoint) => {
    const browser = await subscribe(appId, endpoint);
    await moveSubscriptions(throwAway.dataSource, 'demo', 'https://127.0.0.2:4443');
    expect(await tokenOf(browser)).toBe(`{"endpoint":"${endpoint}",${KEYS}`);
  });
});
