import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createThrowAwayDatabase, emptyAllTables, TestClock, type ThrowAwayDatabase } from '@postrider/testing';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the stand-ins of the providers; only this test uses them
import { type FaultRule, type RunningSimulator, VendorSimulator } from '@postrider/vendor-simulator';
import { APP_ID, FallbackLedger } from './testing/fallback-ledger';
import { type FallbackWorker, startFallbackWorker, storeSmsCredentials } from './testing/fallback-worker';

const SECOND = 1_000;
const ADA = '+989121234567';
const TEXT = 'کد شما: "42" & more';

type Provider = 'twilio' | 'kavenegar' | 'sms';

describe('fallback SMS through the providers', () => {
  let folder: string;
  let simulator: VendorSimulator;
  let running: RunningSimulator;
  let database: ThrowAwayDatabase;
  let ledger: FallbackLedger;
  let clock: TestClock;
  let worker: FallbackWorker;
  const pass = async (seconds: number): Promise<void> => {
    clock.advance(seconds * SECOND);
    await worker.turn();
  };
  const bodyOf = (provider: Provider): object => {
    const { credentials, ca, origin } = running;
    if (provider === 'twilio') return { ...credentials.sms, ca };
    if (provider === 'kavenegar') return { ...credentials.kavenegar, ca };
    const body = '{"to":"{{ to }}","text":"{{ text }}","ref":"{{ id }}"}';
    return { provider: 'http', endpoint: `${origin}/sms`, body, idPath: 'id', ca };
  };
  const use = (provider: Provider, changes: object = {}): Promise<void> =>
    storeSmsCredentials(database.dataSource, APP_ID, { ...bodyOf(provider), ...changes }, clock.now());
  const setFault = (vendor: Provider, fault: FaultRule['fault'], match: FaultRule['match'] = {}): void =>
    running.controls.setFaults([{ vendor, fault, match }]);
  const accepted = (provider: Provider): number => running.controls.stats()[provider]?.accepted ?? 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    simulator = new VendorSimulator({ dataDir: folder });
    running = await simulator.start();
    database = await createThrowAwayDatabase(10);
    ledger = new FallbackLedger(database);
  });
  beforeEach(async () => {
    running.controls.clearInbox();
    running.controls.setFaults([]);
    await emptyAllTables(database.dataSource);
    clock = new TestClock();
    worker = startFallbackWorker(database.dataSource, clock, { publicUrl: 'https://push.example.com/' });
    await ledger.addApplication('IR');
  });
  afterEach(async () => {
    await worker.stop();
  });
  afterAll(async () => {
    await database.drop();
    await simulator.stop();
    await rm(folder, { recursive: true });
  });

  it.each<[Provider, string, string]>([
    ['twilio', ADA, 'twilio'],
    ['kavenegar', '09121234567', 'kavenegar'],
    ['sms', ADA, 'http'],
  ])('arrives through %s, once and whole', async (desk, number, provider) => {
    await use(desk);
    const key = await ledger.addMessage({ users: ['09121234567'], acceptedAt: clock.now(), content: TEXT });
    await pass(60);
    await pass(60);
    const [sms, ...others] = running.controls.messages();
    expect([sms, others]).toEqual([expect.objectContaining({ vendor: desk, token: number, body: TEXT }), []]);
    const [row] = await ledger.fallbacks(key.messageId);
    expect(row).toMatchObject({ state: 'sent', phone: ADA, provider, provider_message_id: sms?.vendorMessageId });
  });

  it('tells Twilio where to report, and for how long to try', async () => {
    await use('twilio');
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: clock.now(), ttlSeconds: 660 });
    await pass(60);
    const [row] = await ledger.fallbacks(key.messageId);
    expect(running.controls.messages()[0]?.payload).toMatchObject({
      ValidityPeriod: '600',
      StatusCallback: `https://push.example.com/api/sms/status/twilio/shop?fallback=${row?.fallback_id}`,
    });
    expect(row?.wake_at).toBeNull();
  });

  it.each<[Provider, FaultRule['fault']]>([
    ['twilio', { kind: 'close', taken: true }],
    ['kavenegar', { kind: 'close', taken: true }],
    ['sms', { kind: 'close', taken: true }],
    ['twilio', { kind: 'status', http: 500 }],
    ['kavenegar', { kind: 'bad_body' }],
    ['sms', { kind: 'status', http: 502 }],
  ])('is never sent again by %s after %j', async (provider, fault) => {
    await use(provider);
    setFault(provider, fault);
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: clock.now() });
    await pass(60);
    running.controls.setFaults([]);
    const taken = accepted(provider);
    for (let hour = 0; hour < 24; hour++) await pass(3_600);
    expect(await ledger.states(key)).toEqual({ [ADA]: 'unknown' });
    expect(accepted(provider)).toBe(taken);
  });

  it.each<[Provider, FaultRule['fault'], string]>([
    ['twilio', { kind: 'dead_token' }, '21614'],
    ['kavenegar', { kind: 'dead_token' }, '411'],
    ['sms', { kind: 'dead_token' }, 'HTTP_422'],
  ])('fails through %s when the number is no good', async (provider, fault, code) => {
    await use(provider);
    setFault(provider, fault);
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: clock.now() });
    await pass(60);
    expect(await ledger.fallbacks(key.messageId)).toMatchObject([{ state: 'failed', error_code: code }]);
  });

  it.each<[Provider, number]>([
    ['twilio', 429],
    ['twilio', 503],
    ['kavenegar', 409],
    ['sms', 503],
  ])('goes through %s later after HTTP %i', async (provider, http) => {
    await use(provider);
    setFault(provider, { kind: 'status', http, retryAfter: 120 }, { times: 1 });
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: clock.now() });
    await pass(60);
    await pass(100);
    expect([accepted(provider), await ledger.states(key)]).toEqual([0, { [ADA]: 'waiting' }]);
    await pass(30);
    expect([accepted(provider), await ledger.states(key)]).toEqual([1, { [ADA]: 'sent' }]);
  });

  it('waits while Kavenegar wants money, and never shows the key', async () => {
    await use('kavenegar');
    setFault('kavenegar', { kind: 'status', http: 418, code: '418' });
    const key = await ledger.addMessage({ users: [ADA, '+989120000000'], acceptedAt: clock.now() });
    await pass(60);
    expect(Object.values(await ledger.states(key))).toEqual(['waiting', 'waiting']);
    running.controls.setFaults([]);
    await pass(60);
    expect(Object.values(await ledger.states(key))).toEqual(['sent', 'sent']);
    const shown = JSON.stringify([worker.lines, await ledger.fallbacks(key.messageId)]);
    expect(shown).not.toContain(running.credentials.kavenegar.apiKey);
  });

  it('waits while the password is wrong, and goes once it is right', async () => {
    await use('twilio', { authToken: 'wrong' });
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: clock.now() });
    await pass(60);
    expect(await ledger.fallbacks(key.messageId)).toMatchObject([{ state: 'waiting', error_code: '20003' }]);
    await use('twilio');
    await pass(60);
    expect([accepted('twilio'), await ledger.states(key)]).toEqual([1, { [ADA]: 'sent' }]);
  });
});
