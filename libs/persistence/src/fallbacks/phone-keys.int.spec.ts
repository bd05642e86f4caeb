import { PhoneDigest, Secret, SecretBox, UnopenedSeal } from '@postrider/platform';
import { createThrowAwayDatabase, type RenewableDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { rows } from '../database/executor';
import { SealedValuesRepository } from '../sealed/sealed-values.repository';
import { OptedOutNumbersRepository } from './opted-out-numbers.repository';
import { PhoneKeys } from './phone-keys.service';

const OLDEST = new Secret('oldest-key-'.repeat(4));
const FORMER = new Secret('former-key-'.repeat(4));
const NEXT = new Secret('next-key-'.repeat(4));
const [ADA, BOB, CAY, DAN] = ['+14155550001', '+14155550002', '+14155550003', '+14155550004'] as const;

describe('numbers that opted out', () => {
  let database: RenewableDatabase;

  /** The keys in a process that was started with this `SECRET_KEY`. */
  const started = (secretKey: Secret, secretKeyPrevious?: Secret): PhoneKeys =>
    new PhoneKeys(
      database.dataSource,
      { secretKey, secretKeyPrevious },
      pino({ level: 'silent' }),
      new SecretBox(secretKey, secretKeyPrevious),
    );
  const optOut = (phone: string): Promise<unknown> =>
    rows(
      database.dataSource,
      `INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at) VALUES ('shop', $1, 'twilio', '21610', now())`,
      [phone],
    );
  const numbersOf = (keys: PhoneKeys): OptedOutNumbersRepository =>
    new OptedOutNumbersRepository(database.dataSource, keys);
  const optedOutOf = async (keys: PhoneKeys): Promise<string[]> => {
    const known = await numbersOf(keys).find(database.dataSource, 'shop', [ADA, BOB, CAY, DAN]);
    return [...known].sort();
  };

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    await rows(
      database.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', $1)`,
      [new SecretBox(FORMER).seal('an identity key', 'identity:shop')],
    );
  });

  afterEach(() => database.renew());

  it('are recognised when SECRET_KEY was changed and the key before it is gone, whichever version noted them', async () => {
    // Two numbers that earlier versions digested under SECRET_KEY itself, one of them under a key that is being
    // replaced.
    await optOut(new PhoneDigest([PhoneDigest.formerKeyOf(OLDEST)]).all(ADA)[0] ?? '');
    await optOut(new PhoneDigest([PhoneDigest.formerKeyOf(FORMER)]).all(BOB)[0] ?? '');
    const before = started(FORMER, OLDEST);
    await before.onApplicationBootstrap();
    await optOut(CAY);
    await numbersOf(before).digest('shop');
    expect(await optedOutOf(before)).toEqual([ADA, BOB, CAY]);

    expect(await optedOutOf(started(NEXT, FORMER))).toEqual([ADA, BOB, CAY]);
    const resealed = await new SealedValuesRepository(database.dataSource).reseal(new SecretBox(NEXT, FORMER));
    expect(resealed).toMatchObject({ resealed: { 'phone keys': 3 }, unopened: [] });

    const after = started(NEXT);
    expect(await optedOutOf(after)).toEqual([ADA, BOB, CAY]);
    await optOut(DAN);
    await numbersOf(after).digest('shop');
    expect(await optedOutOf(before)).toEqual([ADA, BOB, CAY, DAN]);
    expect(await numbersOf(after).delete('shop', ADA)).toBe(true);
  });

  it('are digested under one key by processes that start at once', async () => {
    const processes = Array.from({ length: 8 }, () => started(FORMER));
    const digests = await Promise.all(processes.map(async (keys) => (await keys.digest()).all(ADA)));
    expect(new Set(digests.map((of) => of.join())).size).toBe(1);
    expect(await rows(database.dataSource, `SELECT 1 FROM phone_keys`, [])).toHaveLength(2);
  });

  it('are not taken for unknown by a process whose SECRET_KEY opens none of the keys', async () => {
    const before = started(FORMER);
    await optOut(ADA);
    await numbersOf(before).digest('shop');
    const stranger = started(NEXT);
    await stranger.onApplicationBootstrap();
    await expect(optedOutOf(stranger)).rejects.toThrow(UnopenedSeal);
    expect(await new SealedValuesRepository(database.dataSource).reseal(new SecretBox(NEXT))).toMatchObject({
      unopened: expect.arrayContaining([expect.stringMatching(/^phone-key:/)]),
    });
  });

  it('are of no use to whoever reads the database without SECRET_KEY', async () => {
    const digest = await started(FORMER).digest();
    const stored = await rows<{ sealed: Buffer }>(database.dataSource, `SELECT sealed FROM phone_keys`, []);
    for (const { sealed } of stored) {
      expect(new PhoneDigest([sealed.subarray(-32)]).all(ADA)).not.toEqual(expect.arrayContaining(digest.all(ADA)));
    }
    expect(digest.all(ADA)[0]).not.toBe(new PhoneDigest([PhoneDigest.formerKeyOf(FORMER)]).all(ADA)[0]);
  });
});
