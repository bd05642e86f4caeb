import { fillSeries } from './fill-series';
import { fromLocalInput, readAge, toLocalInput } from './moment-input';
import { sayBytes, sayUploadFailure, uploadUrl } from './promo-upload';
import { sayReachability } from './say-reachability';
import { isPersonal, namesPromoCode } from './template-variables';
import { EMPTY_TRACKER, formOf, trackerBody } from './tracker-form';
import { userOfPath } from './user-path';

describe('the user of an address', () => {
  it.each(['ada', 'a/b c%20"<b>', '%', '%2F', 'کاربر', '..', '?#&=', ' '])('is %j again', (userId) => {
    expect(userOfPath(`/panel/apps/shop/users/${encodeURIComponent(userId)}`)).toBe(userId);
    expect(userOfPath(`/panel/apps/shop/users/${encodeURIComponent(userId)}/more`)).toBe(userId);
  });

  it('is nobody where none is named, or the address is broken', () => {
    expect(userOfPath('/panel/apps/shop/users')).toBeNull();
    expect(userOfPath('/panel/apps/shop/users/%E0%A4%A')).toBeNull();
  });
});

describe('a series over time', () => {
  it('has a point for every day, also for those on which nothing happened', () => {
    const series = [{ at: '2026-05-02T00:00:00.000Z', clicks: 4 }];
    const range = { series, from: '2026-05-01T10:00:00Z', to: '2026-05-03T10:00:00Z', interval: 'day' as const };
    expect(fillSeries(range, { clicks: 0 })).toEqual([
      { at: '2026-05-01T00:00:00.000Z', clicks: 0 },
      { at: '2026-05-02T00:00:00.000Z', clicks: 4 },
      { at: '2026-05-03T00:00:00.000Z', clicks: 0 },
    ]);
  });
});

describe('moments in forms', () => {
  it('come back as they went, to the minute', () => {
    const local = toLocalInput('2026-05-31T12:34:56Z');
    expect(local).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    expect(fromLocalInput(local)).toBe('2026-05-31T12:34:00Z');
    expect([toLocalInput(''), toLocalInput('soon'), fromLocalInput('')]).toEqual(['', '', '']);
  });

  it('are ages by amount and unit', () => {
    expect(readAge('1.5d')).toEqual({ amount: '1.5', unit: 'd' });
    expect(readAge('h')).toEqual({ amount: '', unit: 'h' });
    expect(readAge('2026-05-31')).toBeNull();
  });
});

describe('an upload of codes', () => {
  it('goes where it belongs and says what went wrong', () => {
    expect(uploadUrl('shop', ' ')).toBe('/apps/shop/api/containers/updateGlobalPromoCodes?async=true');
    expect(uploadUrl('shop', 'spring/1')).toBe('/apps/shop/api/containers/updatePromoCodes/spring%2F1?async=true');
    expect([0, 999, 1_500, 20_000_000].map(sayBytes)).toEqual(['0 B', '999 B', '1.5 kB', '20.0 MB']);
    expect(sayUploadFailure('line 3: has a second column')).toBe('Line 3 has a second column.');
  });
});

describe('a device', () => {
  const device = { deviceToken: 'x…', tokenStatus: null, pushType: 'fcm', realtime: false };
  it.each([
    [device, true, 'by FCM'],
    [{ ...device, tokenStatus: 'DENIED' }, false, 'does not allow'],
    [{ ...device, tokenStatus: 'DENIED', realtime: true }, true, 'own connection'],
    [{ ...device, deviceToken: null }, false, 'no token'],
    [{ ...device, tokenStatus: 'NOT_SUPPORTED_BROWSER' }, false, 'does not support'],
  ])('%# can be reached or not, and says why', (facts, isReachable, words) => {
    const said = sayReachability(facts);
    expect(said.isReachable).toBe(isReachable);
    expect(said.why).toContain(words);
  });
});

describe('a personal text', () => {
  it('is told from a plain one', () => {
    expect([isPersonal('a { b }'), isPersonal('{{ a }}'), isPersonal('{% if a %}')]).toEqual([false, true, true]);
    expect([
      namesPromoCode('promoCode'),
      namesPromoCode('{{ promoCode }}'),
      namesPromoCode('{{ promoCodes }}'),
    ]).toEqual([false, true, false]);
  });
});

describe('a tracker in its form', () => {
  it('is saved as it was read, what is empty taken away', () => {
    const tracker = {
      name: 'Mail',
      deepLink: null,
      destination: 'https://x.example',
      platforms: { ios: 'https://y.example' },
      allowedHosts: ['x.example'],
    };
    expect(trackerBody(formOf(tracker))).toEqual(tracker);
    expect(trackerBody({ ...EMPTY_TRACKER, name: ' A ' })).toEqual({
      name: 'A',
      deepLink: null,
      destination: null,
      platforms: {},
      allowedHosts: [],
    });
  });
});
