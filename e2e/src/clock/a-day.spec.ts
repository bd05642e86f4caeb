import type { SendOutcome } from '@postrider/domain';
import { at, MIDNIGHT, said } from './tomorrow';
import { VirtualSystem } from './virtual-system';

// Times are of tomorrow; the zones have no summer time, so that any day will do.
const busy: SendOutcome = { kind: 'retryable', code: '503', reason: 'busy', retryAfterMs: 120_000 };
const slow: SendOutcome = { kind: 'throttled', code: '429', reason: 'slow', scope: 'token', retryAfterMs: null };

/** One device in each part of the world, and one without a time zone: there, it is as in Tehran (03:30 ahead). */
const WORLD = [
  { userId: 'tokyo', token: 'tokyo', timeZone: 'Asia/Tokyo', tags: ['world'] },
  { userId: 'accra', token: 'accra', timeZone: 'Africa/Accra', tags: ['world'] },
  { userId: 'bogota', token: 'bogota', timeZone: 'America/Bogota', tags: ['world'] },
  { userId: 'nowhere', token: 'nowhere', timeZone: 'not/a zone', tags: ['world'] },
];

describe('a day, by the clock', () => {
  let system: VirtualSystem;

  beforeEach(async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    system = await VirtualSystem.open({
      startsAt: at('06:00'),
      answer: (token, times) => {
        if (token === 'flaky' && times === 1) return busy;
        if (token === 'throttled' && times <= 3) return slow;
        return token === 'never' ? busy : { kind: 'accepted', vendorMessageId: null };
      },
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await system.close();
  });

  it('brings retries, expiry and fallback SMS when they are due, and nothing late', async () => {
    await system.addDevices(
      ...['flaky', 'throttled', 'never', 'well'].map((token) => ({ userId: `+1415555000${token.length}`, token })),
    );
    const users = ['+14155550005', '+14155550009', '+14155550004'];
    const fallback = { content: 'sms', delay: 300 };
    const kept = await system.send('users', { users, content: 'hello', ttl: 600, fallback });
    const short = await system.send('users', { user: users[0], content: 'soon over', ttl: 250, fallback });
    await system.passUntil(at('23:59'));
    const never = ['06:00', '06:02', '06:04', '06:06', '06:08', '06:00', '06:02', '06:04'];
    const flaky = ['06:00', '06:02', '06:00'];
    expect(system.pushes.toSorted()).toEqual(
      [
        ...never.map((time) => [said(time), 'never']),
        ...flaky.map((time) => [said(time), 'flaky']),
        ...['06:00', '06:01', '06:02', '06:03'].map((time) => [said(time), 'throttled']),
        [said('06:00'), 'well'],
      ].toSorted(),
    );
    expect(system.texts.toSorted()).toEqual(users.toSorted().map((user) => [said('06:05'), user]));
    expect(await system.states(kept)).toEqual({ 'expired 503': 1, sent: 3 });
    expect(await system.states(short)).toEqual({ 'expired 503': 1, sent: 1 });
  });

  it('sends what is scheduled at its moment, to whom there is by then, and no SMS before', async () => {
    await system.addDevices({ userId: '+14155550001', token: 'first' });
    const fallback = { content: 'sms', delay: 60 };
    const later = { sendAt: at('09:30').toISOString(), ttl: 3_600 };
    const scheduled = await system.send('users', { user: '+14155550001', content: 'then', fallback, ...later });
    const cancelled = await system.send('users', { user: '+14155550001', content: 'not', fallback, ...later });
    const campaign = await system.send('query', { target: { deviceType: 'android' }, content: 'all', ...later });
    await system.passUntil(at('09:00'));
    await system.addDevices({ userId: '+14155550001', token: 'second' });
    await system.cancel(cancelled);
    expect([system.pushes, system.texts]).toEqual([[], []]);
    await system.passUntil(at('23:00'));
    expect(system.pushes.toSorted()).toEqual([
      [said('09:30'), 'first'],
      [said('09:30'), 'first'],
      [said('09:30'), 'second'],
      [said('09:30'), 'second'],
    ]);
    expect(system.texts).toEqual([[said('09:31'), '+14155550001']]);
    expect(await system.states(scheduled)).toEqual({ sent: 2 });
    expect(await system.states(campaign)).toEqual({ sent: 2 });
    expect(await system.states(cancelled)).toEqual({ cancelled: 2 });
  });

  it('reaches each device at its own local time, today or where that is over tomorrow', async () => {
    await system.addDevices(...WORLD);
    const wall = at('09:00').toISOString().slice(0, 19);
    await system.send('query', {
      target: { tags: 'world' },
      content: 'morning',
      sendAt: wall,
      localTime: true,
      ttl: 3_600,
    });
    await system.passUntil(at('23:59', 1));
    expect(system.pushes).toEqual([
      [said('09:00'), 'accra'],
      [said('14:00'), 'bogota'],
      [said('00:00', 1), 'tokyo'],
      [said('05:30', 1), 'nowhere'],
    ]);
  });

  it('leaves people alone at night, unless they are named or it is said', async () => {
    await system.addDevices(...WORLD);
    const campaign = { target: { tags: 'world' }, content: 'sale' };
    const kept = await system.send('query', campaign);
    const short = await system.send('query', { ...campaign, ttl: 600 });
    await system.passUntil(at('06:30'));
    expect(system.pushes.map(([, token]) => token).sort()).toEqual(['nowhere', 'nowhere', 'tokyo', 'tokyo']);
    system.pushes.length = 0;
    await system.send('users', { user: 'bogota', content: 'your code' });
    await system.send('query', { ...campaign, ignoreQuietHours: true });
    await system.passUntil(at('23:59'));
    expect(system.pushes).toEqual([
      [said('06:30'), 'bogota'],
      ...['tokyo', 'accra', 'bogota', 'nowhere'].map((token) => [said('06:30'), token]),
      [said('08:00'), 'accra'],
      [said('13:00'), 'bogota'],
    ]);
    expect(await system.states(kept)).toEqual({ sent: 4 });
    expect(await system.states(short)).toEqual({ sent: 2, 'skipped quiet_hours': 2 });
  });

  it('follows quiet hours that are changed while people are left alone, pushes and connections alike', async () => {
    const night = { start: '22:00', timeZone: 'device', applies: 'campaigns' } as const;
    const online = { token: null, tags: ['world'], realtime: true };
    await system.addDevices(
      ...WORLD,
      { ...online, userId: 'ada', timeZone: 'Africa/Accra' },
      { ...online, userId: 'bob', timeZone: 'America/Bogota' },
    );
    const campaign = await system.send('query', { target: { tags: 'world' }, content: 'sale' });
    await system.passUntil(at('06:30'));
    await system.setQuietHours({ ...night, end: '07:00' });
    await system.passUntil(at('09:00'));
    expect([system.pushes, await system.waits(campaign)]).toEqual([
      [
        [said('06:00'), 'tokyo'],
        [said('06:00'), 'nowhere'],
        [said('07:00'), 'accra'],
      ],
      [[said('07:00'), 'ada']],
    ]);
    await system.setQuietHours(null);
    await system.passUntil(at('23:59'));
    expect(system.pushes.slice(3)).toEqual([[said('09:00'), 'bogota']]);
    expect((await system.waits(campaign)).slice(1)).toEqual([[said('09:00'), 'bob']]);
  });

  it('puts a retry off that would come at night', async () => {
    await system.addDevices({ userId: 'flaky', token: 'flaky', timeZone: 'Africa/Accra', tags: ['world'] });
    await system.passUntil(at('21:59'));
    await system.send('query', { target: { tags: 'world' }, content: 'late' });
    await system.passUntil(at('12:00', 1));
    expect(system.pushes).toEqual([
      [said('21:59'), 'flaky'],
      [said('08:00', 1), 'flaky'],
    ]);
  });

  it('goes as fast as it was asked to, retries too, and as the application allows all together', async () => {
    const crowd = Array.from({ length: 24 }, (_, n) => `t${String(n).padStart(2, '0')}`);
    await system.addDevices(
      ...crowd.map((token) => ({ userId: token, token, timeZone: 'Asia/Tokyo', tags: ['crowd'] })),
      { userId: 'ada', token: 'ada' },
    );
    const campaign = { target: { tags: 'crowd' }, content: 'many' };
    await system.send('query', { ...campaign, rate: 4 });
    await system.passUntil(at('06:59'));
    const start = Date.parse(`${new Date(MIDNIGHT).toISOString().slice(0, 8)}${system.pushes[0]?.[0] ?? ''}Z`);
    expect(
      system.pushes.map(([time]) => Date.parse(`${new Date(MIDNIGHT).toISOString().slice(0, 8)}${time}Z`) - start),
    ).toEqual(crowd.map((_, n) => n * 250));
    expect(system.pushes.map(([, token]) => token)).toEqual(crowd);

    system.pushes.length = 0;
    await system.database.query(`UPDATE applications SET devices_per_second = 8`);
    await Promise.all([system.send('query', campaign), system.send('query', campaign)]);
    await system.passUntil(new Date(at('06:59').getTime() + 1_000));
    await system.send('users', { user: 'ada', content: 'your code' });
    await system.passUntil(at('07:59'));
    const times = system.pushes.map(([time]) => Date.parse(`${new Date(MIDNIGHT).toISOString().slice(0, 8)}${time}Z`));
    expect(times).toHaveLength(2 * crowd.length + 1);
    for (const time of times) {
      expect(times.filter((other) => other >= time && other < time + 1_000).length).toBeLessThanOrEqual(9);
    }
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(5_500);
    expect(times.at(-1)! - times[0]!).toBeLessThan(9_000);
    const code = system.pushes.find(([, token]) => token === 'ada')?.[0] ?? '';
    expect(code.slice(0, 11)).toBe(said('06:59:01').slice(0, 11));
  });
});
