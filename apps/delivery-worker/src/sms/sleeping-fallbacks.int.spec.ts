import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const HOUR = 3_600;

describe('fallback SMS in quiet hours', () => {
  const stage = useFallbackStage();

  /** Quiet hours of this many hours begin when the fallback's minute is over; Bob's clock is twelve hours later. */
  async function fallsQuiet(hours: number, changes: Record<string, unknown> = {}): Promise<void> {
    const clock = (inHours: number): string => {
      return new Date(stage.now().getTime() + inHours * HOUR * 1_000).toISOString().slice(11, 16);
    };
    const quietHours = { start: clock(0), end: clock(hours), timeZone: 'device', applies: 'all', ...changes };
    await stage.ledger.run(`UPDATE applications SET quiet_hours = $1, default_time_zone = 'UTC'`, [quietHours]);
    const device = await stage.ledger.addDevice(BOB);
    await stage.ledger.run(`UPDATE installations SET time_zone = 'Etc/GMT-12' WHERE id = $1`, [device]);
  }

  it('waits until they end where the user is, says so, and is sent then', async () => {
    await fallsQuiet(2);
    const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now() });
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([BOB]);
    const [ada] = await stage.ledger.fallbacks(key.messageId);
    expect(ada).toMatchObject({ state: 'waiting', error_code: 'quiet_hours' });
    expect(ada?.reason).toMatch(/^Waits until \d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z, when the quiet hours end$/);
    await stage.pass(HOUR);
    expect(stage.sender.numbers).toEqual([BOB]);
    await stage.pass(HOUR);
    expect(stage.sender.numbers).toEqual([BOB, ADA]);
    expect((await stage.ledger.fallbacks(key.messageId))[0]).toMatchObject({ state: 'sent', error_code: null });
  });

  it('expires with its message when that is over before they are', async () => {
    await fallsQuiet(2);
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), ttlSeconds: HOUR });
    await stage.pass(60);
    await stage.pass(HOUR);
    expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'expired' }]);
  });

  it('is sent where quiet hours are kept by campaigns alone, or are ignored by the message', async () => {
    await fallsQuiet(2, { applies: 'campaigns' });
    await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA]);
    await fallsQuiet(2);
    await stage.ledger.addMessage({ users: [BOB], acceptedAt: stage.now() });
    await stage.ledger.run(`UPDATE messages SET ignore_quiet_hours = true`);
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([ADA, BOB]);
  });
});
