import { createHash } from 'node:crypto';
import type { FcmPayload, JsonObject } from '@postrider/domain';
import { Secret } from '@postrider/platform';
import { LinkTracker, openTrackedLink, trackedLinkKey } from '@postrider/rendering';
import { createThrowAwayDatabase, TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { FakeSender } from '../../testing/fake-sender';
import { APP_ID, Ledger } from '../../testing/ledger';
import { startTestWorker, storeCredentials } from '../../testing/test-worker';

const SECRET = createHash('sha256').update('tracked links').digest('hex');

describe('attempting a page whose links are tracked', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  it('leads each device’s web links past the tracker, and no other', async () => {
    const ledger = new Ledger(database);
    const clock = new TestClock();
    const sender = new FakeSender('fcm');
    await ledger.addApplication();
    await storeCredentials(database, APP_ID, clock.now());
    const devices = await ledger.addDevices(2, new Date(clock.now().getTime() - 3_600_000));
    const notification = {
      title: 'Sale',
      clickUrl: 'https://shop.example/sale',
      actions: [{ id: 'app', url: 'shop://sale' }],
    };
    const key = await ledger.addMessage({
      devices,
      acceptedAt: clock.now(),
      content: { content: 'Sale', trackLinks: true, linkBase: 'https://push.example/t', notification },
    });
    const links = new LinkTracker({ secretKey: new Secret(SECRET), trackerUrl: undefined, publicUrl: undefined });
    expect(await startTestWorker(database, { clock, sender, links }).attempt('fcm', key)).toEqual({ kind: 'finished' });
    const opened = sender.requests.map(({ payload }) => {
      const whole = JSON.parse(
        (payload as FcmPayload & { message: { data: { m: string } } }).message.data.m,
      ) as JsonObject;
      const shown = whole.notification as typeof notification;
      expect(shown.actions[0]?.url).toBe('shop://sale');
      const [base, token = ''] = shown.clickUrl.split('/l/');
      expect(base).toBe('https://push.example/t');
      return openTrackedLink([trackedLinkKey(SECRET)], token);
    });
    const installations = await ledger.run(`SELECT installation_id AS id FROM installations ORDER BY id`);
    expect(opened.map((link) => link?.installationId).sort()).toEqual(installations.map(({ id }) => id).sort());
    expect(opened.map((link) => [link?.appId, link?.messageId, link?.link])).toEqual(
      devices.map(() => [APP_ID, key.messageId, 'https://shop.example/sale']),
    );
  });
});
