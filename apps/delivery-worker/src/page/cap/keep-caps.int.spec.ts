import {
  DAY_MS,
  deliveryStateRank,
  type DeviceId,
  type FrequencyCap,
  type JsonObject,
  SECOND_MS,
} from '@postrider/domain';
import { ApplicationsRepository, type PageKey, PagesRepository } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { accepted } from '../../testing/fake-sender';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';

const ONE_A_DAY = [{ messages: 1, seconds: 86_400 }];

describe('the frequency caps of an application', () => {
  const stage = usePageStage();

  function setCaps(frequencyCaps: FrequencyCap[]): Promise<unknown> {
    const applications = new ApplicationsRepository(stage.database.dataSource);
    return applications.update(APP_ID, { frequencyCaps }, stage.clock.now());
  }

  /** A message to these devices, sent by a worker of its own. @returns the states of their deliveries */
  async function send(
    devices: DeviceId[],
    content: JsonObject = {},
    lane: 'campaign' | 'transactional' = 'campaign',
  ): Promise<unknown[]> {
    const key = await messageTo(devices, content, lane);
    await stage.worker().attempt('fcm', { ...key, lane });
    return statesOf(key);
  }

  function messageTo(
    devices: DeviceId[],
    content: JsonObject = {},
    lane: 'campaign' | 'transactional' = 'campaign',
  ): Promise<PageKey> {
    const acceptedAt = stage.clock.now();
    return stage.ledger.addMessage({ devices, acceptedAt, lane, content: { content: 'hello', ...content } });
  }

  async function statesOf(key: PageKey): Promise<unknown[]> {
    return (await stage.ledger.deliveries(key.messageId)).map(({ state }) => state);
  }

  it('skip who has had enough, with the reason, until the time is over', async () => {
    await setCaps([{ messages: 2, seconds: 3_600 }]);
    const devices = await stage.addDevices(2);
    expect(await send(devices)).toEqual(['sent', 'sent']);
    stage.clock.advance(60 * SECOND_MS);
    expect(await send(devices.slice(0, 1))).toEqual(['sent']);
    const third = await messageTo(devices);
    await stage.worker().attempt('fcm', third);
    expect(await stage.ledger.deliveries(third.messageId)).toMatchObject([
      { state: 'skipped', error_code: 'frequency_capped', reason: expect.stringContaining('frequency caps') },
      { state: 'sent' },
    ]);
    stage.clock.advance(3_540 * SECOND_MS);
    expect(await send(devices)).toEqual(['sent', 'sent']);
    expect(await send(devices)).toEqual(['skipped', 'skipped']);
  });

  it('count a message once, whatever the number of devices and pages', async () => {
    await setCaps(ONE_A_DAY);
    const devices = await stage.addDevices(3);
    await stage.ledger.run(`UPDATE installations SET user_id = 'user1'`);
    const key = await messageTo(devices.slice(0, 2));
    const second = await stage.ledger.addPage(key.messageId, devices.slice(2));
    const worker = stage.worker();
    await worker.attempt('fcm', key);
    await worker.attempt('fcm', second);
    expect(await statesOf(key)).toEqual(['sent', 'sent', 'sent']);
    expect(await send(devices)).toEqual(['skipped', 'skipped', 'skipped']);
  });

  it('do not count what failed, and count what one of two devices got', async () => {
    await setCaps(ONE_A_DAY);
    const devices = await stage.addDevices(2);
    await stage.ledger.run(`UPDATE installations SET user_id = 'user1'`);
    stage.sender.answer = () => ({ kind: 'request_invalid', code: 'BAD', reason: 'bad' });
    expect(await send(devices)).toEqual(['failed', 'failed']);
    stage.sender.answer = (token) =>
      token === 't1' ? { kind: 'request_invalid', code: 'BAD', reason: 'bad' } : accepted(token);
    expect(await send(devices)).toEqual(['failed', 'sent']);
    expect(await send(devices)).toEqual(['skipped', 'skipped']);
  });

  it('leave messages to named users alone, unless they say otherwise; a test counts for nothing', async () => {
    await setCaps(ONE_A_DAY);
    const devices = await stage.addDevices(1);
    expect(await send(devices, {}, 'transactional')).toEqual(['sent']);
    expect(await send(devices, { isTest: true })).toEqual(['sent']);
    expect(await send(devices, { countsTowardsCap: true }, 'transactional')).toEqual(['sent']);
    expect(await send(devices)).toEqual(['skipped']);
    expect(await send(devices, { countsTowardsCap: true }, 'transactional')).toEqual(['skipped']);
    expect(await send(devices, {}, 'transactional')).toEqual(['sent']);
    expect(await send(devices, { isTest: true })).toEqual(['sent']);
  });

  it('let through what must arrive, and count it', async () => {
    await setCaps([{ messages: 2, seconds: 60 }]);
    const devices = await stage.addDevices(1);
    for (let times = 0; times < 3; times++) expect(await send(devices, { ignoreFrequencyCap: true })).toEqual(['sent']);
    expect(await send(devices)).toEqual(['skipped']);
  });

  it('count what was sent before they were set, for the user who had the device then', async () => {
    const devices = await stage.addDevices(3);
    expect(await send(devices)).toEqual(['sent', 'sent', 'sent']);
    stage.sender.answer = () => ({ kind: 'request_invalid', code: 'BAD', reason: 'bad' });
    expect(await send(devices.slice(1, 2))).toEqual(['failed']);
    stage.sender.answer = accepted;
    expect(await send(devices, {}, 'transactional')).toEqual(['sent', 'sent', 'sent']);
    expect(await send(devices, { isTest: true })).toEqual(['sent', 'sent', 'sent']);
    stage.clock.advance(600 * SECOND_MS);
    await stage.ledger.run(`UPDATE installations SET user_since = $1, user_id = 'another' WHERE id = $2`, [
      stage.clock.now(),
      devices[2],
    ]);
    await setCaps([{ messages: 2, seconds: 3_600 }]);
    expect(await send(devices)).toEqual(['sent', 'sent', 'sent']);
    expect(await send(devices)).toEqual(['skipped', 'skipped', 'sent']);
    stage.clock.advance(3_001 * SECOND_MS);
    expect(await send(devices)).toEqual(['sent', 'sent', 'skipped']);
  });

  it('look up nobody with a campaign that was over before they look back, and count what waited for a connection since then', async () => {
    const devices = await stage.addDevices(2);
    const [acceptedAt, doneAt] = [stage.clock.now(), stage.clock.now()];
    stage.clock.advance(2 * DAY_MS);
    const over = await stage.ledger.addMessage({ devices: [], acceptedAt, ttlSeconds: 604_800 });
    const waits = await stage.ledger.addMessage({ devices: [], acceptedAt, ttlSeconds: 604_800 });
    await stage.ledger.run(`UPDATE messages SET status = 'done', done_at = $1`, [doneAt]);
    await stage.ledger.run(`UPDATE messages SET inbox_ends_at = expires_at WHERE id = $1`, [waits.messageId]);
    // No message that is over has such a delivery: it is counted only if somebody looks.
    for (const [place, { messageId }] of [over, waits].entries())
      await stage.ledger.run(
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, delivered_at, created_at, updated_at)
         VALUES ($1, $2, $3, 'delivered', $4, 'connection', $5, $5, $5)`,
        [APP_ID, messageId, devices[place], deliveryStateRank('delivered'), stage.clock.now()],
      );
    await setCaps(ONE_A_DAY);
    expect(await send(devices)).toEqual(['sent', 'skipped']);
  });

  it('remember again what a shorter cap had forgotten', async () => {
    await setCaps([{ messages: 1, seconds: 60 }]);
    const devices = await stage.addDevices(1);
    for (let times = 0; times < 3; times++) {
      expect(await send(devices)).toEqual(['sent']);
      stage.clock.advance(DAY_MS / 4);
    }
    await setCaps([{ messages: 3, seconds: 86_400 }]);
    expect(await send(devices)).toEqual(['skipped']);
    await setCaps([]);
    expect(await send(devices)).toEqual(['sent']);
    stage.clock.advance(SECOND_MS);
    await setCaps([{ messages: 4, seconds: 86_400 }]);
    expect(await send(devices)).toEqual(['skipped']);
  });

  it('wait for the pages that were in hand when they were set', async () => {
    const devices = await stage.addDevices(1);
    stage.sender.answer = () => undefined;
    const before = await messageTo(devices);
    const inHand = stage.worker().attempt('fcm', before);
    await stage.sender.untilWaiting(1);
    await setCaps(ONE_A_DAY);
    const after = await messageTo(devices);
    const waiting = stage.worker({ instanceId: 'w2' }).attempt('fcm', after);
    await untilTrue(async () => (await stage.ledger.pages(after.messageId))[0]?.state === 'running');
    stage.sender.release();
    await Promise.all([inHand, waiting]);
    expect([await statesOf(before), await statesOf(after)]).toEqual([['sent'], ['skipped']]);
  });

  it('judge a page when it leaves, and once more when it is tried again after their time', async () => {
    await setCaps([{ messages: 1, seconds: 60 }]);
    const devices = await stage.addDevices(1);
    stage.sender.answer = () => ({ kind: 'retryable', code: 'UNAVAILABLE', reason: 'busy', retryAfterMs: null });
    const first = await messageTo(devices);
    const worker = stage.worker();
    await worker.attempt('fcm', first);
    stage.sender.answer = accepted;
    expect(await send(devices)).toEqual(['skipped']);
    stage.clock.advance(61 * SECOND_MS);
    expect(await send(devices)).toEqual(['sent']);
    const [, retry] = await stage.ledger.pages(first.messageId);
    await worker.attempt('fcm', { ...first, pageId: String(retry?.id) });
    expect(await statesOf(first)).toEqual(['skipped']);
  });

  it('have the message counted once when a worker was lost after it counted', async () => {
    await setCaps(ONE_A_DAY);
    const devices = await stage.addDevices(1);
    const lost = stage.worker({ instanceId: 'lost' });
    stage.sender.answer = () => undefined;
    const key = await messageTo(devices);
    void lost.attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    const now = stage.clock.now();
    await stage.ledger.run(`UPDATE pages SET wake_at = $1`, [now]);
    expect(await new PagesRepository(stage.database.dataSource).findOpen([key])).toEqual(new Set([0]));
    stage.sender.answer = accepted;
    await stage.worker({ instanceId: 'heir' }).attempt('fcm', key);
    expect(await statesOf(key)).toEqual(['sent']);
    stage.sender.release();
    expect(await send(devices)).toEqual(['skipped']);
  });
});
