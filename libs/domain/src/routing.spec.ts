import { reachOf, routeDevice, type RoutableDevice } from './routing';

describe('the route to a device', () => {
  const phone: RoutableDevice = {
    isProved: true,
    isConnected: false,
    usesConnection: false,
    pushType: 'fcm',
    hasToken: true,
    tokenStatus: 'ALLOWED',
  };
  const configured = ['fcm', 'sms'];
  const via = (vendor: string) => ({ kind: 'reachable', vendor });
  const skipped = (reason: string) => ({ kind: 'skipped', reason });

  it.each([
    ['a push token goes to its vendor', phone, via('fcm')],
    ['a token without a status is usable', { ...phone, tokenStatus: null }, via('fcm')],
    ['an open app gets it over its connection', { ...phone, isConnected: true }, via('connection')],
    ['a push token goes before the inbox', { ...phone, usesConnection: true }, via('fcm')],
    [
      'no token, but a connection now and then: the inbox',
      { ...phone, hasToken: false, usesConnection: true },
      via('connection'),
    ],
    [
      'a dead token and a connection: the inbox',
      { ...phone, tokenStatus: 'ERR', usesConnection: true },
      via('connection'),
    ],
    ['no token', { ...phone, hasToken: false, tokenStatus: 'DENIED' }, skipped('no_token')],
    ['a token that the user disallowed', { ...phone, tokenStatus: 'DENIED' }, skipped('token_invalid')],
    ['a vendor without credentials', { ...phone, pushType: 'hms' as const }, skipped('vendor_not_configured')],
  ])('%s', (_, device, route) => {
    expect(routeDevice(device, 'any', configured)).toEqual(route);
  });

  it('is none where the device is not proved to be its user’s, whatever the reach of the message', () => {
    const stranger = { ...phone, isProved: false, isConnected: true };
    for (const reach of ['any', 'notify', 'inApp', 'live'] as const) {
      expect(routeDevice(stranger, reach, configured)).toEqual(skipped('user_not_proved'));
    }
  });

  it('of notifyUsers is a vendor or nothing, connected or not', () => {
    expect(routeDevice({ ...phone, isConnected: true }, 'notify', configured)).toEqual(via('fcm'));
    expect(routeDevice({ ...phone, hasToken: false, isConnected: true }, 'notify', configured)).toEqual(
      skipped('no_token'),
    );
  });

  it('of an inApp message is the own connection, now or later', () => {
    expect(routeDevice({ ...phone, usesConnection: true }, 'inApp', configured)).toEqual(via('connection'));
    expect(routeDevice(phone, 'inApp', configured)).toEqual(skipped('no_connection'));
  });

  it('of a live message is a connection that is open now; other devices are not addressed', () => {
    expect(routeDevice({ ...phone, isConnected: true }, 'live', configured)).toEqual(via('connection'));
    expect(routeDevice({ ...phone, usesConnection: true }, 'live', configured)).toEqual({
      kind: 'not_addressed',
      reason: 'not_connected',
    });
  });
});

describe('the reach of a message', () => {
  const flags = { live: false, inApp: false };

  it('follows its flags, and the endpoint before them', () => {
    expect(reachOf('users', flags)).toBe('any');
    expect(reachOf('query', { ...flags, inApp: true })).toBe('inApp');
    expect(reachOf('users', { live: true, inApp: true })).toBe('live');
    expect(reachOf('notify', { live: true, inApp: true })).toBe('notify');
  });
});
