import { PromoSetsRepository, PromoUploadsRepository, rows } from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import type { JobsClient } from '@postrider/queues';
import { createThrowAwayDatabase, TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { RecoverPromoSets } from './recover-promo-sets.task';

const MINUTE_MS = 60_000;

describe('recovery of promo sets', () => {
  let base: ThrowAwayDatabase;

  beforeAll(async () => {
    base = await createThrowAwayDatabase();
    await rows(
      base.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });
  afterAll(() => base.drop());

  it('fails an upload that was cut off and deletes what had come of it; an upload that is renewed goes on', async () => {
    const clock = new TestClock();
    const sets = new PromoSetsRepository(base.dataSource);
    const uploads = new PromoUploadsRepository(base.dataSource);
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const noJobs = {} as JobsClient;
    const task = new RecoverPromoSets(clock, noJobs, logger, sets, uploads, { sweepIntervalMs: 1 });
    const begin = async (): Promise<string> => {
      const setId = newId(clock.now());
      const giveUpAt = new Date(clock.now().getTime() + MINUTE_MS);
      await uploads.begin({ appId: 'shop', setId }, { trackId: '', createdAt: clock.now(), giveUpAt, most: 10 });
      await uploads.keepPiece({ appId: 'shop', setId }, { number: 0, content: Buffer.from('CODE\n') });
      return setId;
    };
    const [cutOff, slow] = [await begin(), await begin()];
    const later = new Date(clock.now().getTime() + 2 * MINUTE_MS);
    expect(await uploads.renew({ appId: 'shop', setId: slow }, later)).toBe(true);
    clock.advance(MINUTE_MS);
    await task.run(new AbortController().signal);
    expect(await sets.find({ appId: 'shop', setId: cutOff })).toMatchObject({
      state: 'failed',
      failure: 'service',
      reason: expect.stringMatching(/^The upload was cut off.*send it again$/) as string,
    });
    expect(await sets.find({ appId: 'shop', setId: slow })).toMatchObject({ state: 'uploading', bytes: 5 });
    expect(await rows(base.dataSource, `SELECT set_id AS id FROM promo_chunks`)).toEqual([{ id: slow }]);
    expect(await uploads.renew({ appId: 'shop', setId: cutOff }, later)).toBe(false);
    expect(await uploads.startImport({ appId: 'shop', setId: cutOff }, later)).toBe(false);
  });
});
