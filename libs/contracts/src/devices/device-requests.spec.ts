import { readRequest } from '../validation/read-request';
import { behaviorsOf, deviceEventsOf, DeviceEventsRequest, receiptsOf } from './device-events.request';
import { clientVersionOf, registrationOf, RegistrationRequest } from './registration.request';
import { attributeChangesOf, UserInfoRequest } from './user-info.request';
import { vendorTokenOf } from './vendor-token.request';

const problemPaths = ({ problems }: { problems: { path: string }[] }): string[] => problems.map(({ path }) => path);

describe('the events of a device', () => {
  const read = (...eventData: unknown[]): ReturnType<typeof readRequest<DeviceEventsRequest>> =>
    readRequest(DeviceEventsRequest, { installationId: 'i', userId: 'ada', createdAt: 1_000, eventData });

  it('are read by their types, and fields of other types are not looked at', () => {
    const { request, problems } = read(
      { type: 1, actionType: 'OPENED', msgId: 'of another sender', trackId: 't', link: 5 },
      { type: '2', data: { eventName: 'order', constructor: 'x', revenue: 5 }, actionType: 'nothing' },
      { type: 3, link: '', eventName: 7 },
    );
    expect(problems).toEqual([]);
    const events = deviceEventsOf(request);
    expect(receiptsOf(events)).toMatchObject([
      { kind: 'opened', messageId: null, trackId: null, at: new Date(1_000) },
      { kind: 'link', link: '' },
    ]);
    expect(behaviorsOf(events)).toMatchObject([{ name: 'order', revenue: { amount: 5, currency: null } }]);
  });

  it('are refused at their places', () => {
    const paths = problemPaths(
      read({ type: 1 }, { type: 2 }, { type: 3 }, { type: 4, msgId: 5 }, 'x', { type: 2, eventName: 5 }),
    );
    expect(paths.sort()).toEqual(
      ['[0].actionType', '[0].msgId', '[1].eventName', '[2].link', '[3].msgId', '[3].type', '[4]', '[5].eventName'].map(
        (path) => `eventData${path}`,
      ),
    );
  });
});

describe('a registration', () => {
  const read = (fields: object): ReturnType<typeof readRequest<RegistrationRequest>> =>
    readRequest(RegistrationRequest, { userId: 'ada', ...fields });

  it('keeps what nobody knows, also under names that the class has', () => {
    const { request } = read({ rest: 1, names: ['x'], userAgent: 5, tags: ['no'], gone: null });
    expect(request.rest).toEqual({ rest: 1, names: ['x'], userAgent: 5 });
    expect(request.names).toEqual(['userId', 'rest', 'names', 'userAgent', 'tags']);
    expect(request.userAgent).toBeUndefined();
  });

  it('has its flags as booleans, in whichever spelling they come: rules with true and false test them', () => {
    const { request } = read({ isGuest: 'true', isLoggedIn: 0, newInstall: '1', other: 'true' });
    expect(registrationOf(request).registration).toEqual({
      isGuest: true,
      isLoggedIn: false,
      newInstall: true,
      other: 'true',
    });
    expect(problemPaths(read({ isGuest: 'maybe', isLoggedIn: 2, newInstall: {} })).sort()).toEqual([
      'isGuest',
      'isLoggedIn',
      'newInstall',
    ]);
  });

  it('with too much of that is refused as a whole', () => {
    expect(problemPaths(read({ book: 'x'.repeat(16_385), location: { lat: 91 } })).sort()).toEqual([
      '',
      'location.lat',
      'location.lng',
    ]);
  });

  it('has the version under either name', () => {
    expect(clientVersionOf(read({ appVersion: 4.2 }).request)).toBe('4.2');
    expect(clientVersionOf(read({ clientVersion: '5', appVersion: [] }).request)).toBe('5');
    expect(problemPaths(read({ appVersion: [] }))).toEqual(['appVersion']);
  });

  it('says by its token, vendor and type of device how it can be pushed to', () => {
    const tokenOf = (fields: object): object => vendorTokenOf(read(fields).request);
    expect(tokenOf({ deviceType: 'Android', deviceToken: 't' })).toMatchObject({ pushType: 'fcm', token: 't' });
    expect(tokenOf({ deviceType: 'web', deviceToken: 'NOT_EXIST' })).toMatchObject({
      pushType: 'webpush',
      token: null,
    });
    expect(tokenOf({ deviceType: 'Huawei', deviceToken: 't' })).toMatchObject({ pushType: 'hms', token: 't' });
    expect(problemPaths(read({ deviceType: 'web', deviceToken: 't' }))).toEqual(['deviceToken']);
    expect(problemPaths(read({ deviceType: 'ios', deviceToken: { endpoint: 'x' } }))).toEqual(['deviceToken']);
  });

  it.each(['constructor', '__proto__', 'toaster'])('has no vendor if its type of device is %s', (deviceType) => {
    expect(vendorTokenOf(read({ deviceType, deviceToken: 't' }).request).pushType).toBeNull();
  });
});

describe('user info', () => {
  it('changes attributes as it is described', () => {
    const { request } = readRequest(UserInfoRequest, {
      installationId: 'i',
      data: { plan: 'gold', born: 1_000, gone: null },
      __meta: {
        keys: { born: { type: 'date' }, tags: { operation: 'addToArray', value: 'x' }, old: { operation: 'unset' } },
      },
    });
    expect(attributeChangesOf(request)).toEqual([
      { name: 'plan', operation: 'set', value: 'gold' },
      { name: 'gone', operation: 'set', value: null },
      { name: 'born', operation: 'set', value: '1970-01-01T00:00:01.000Z' },
      { name: 'tags', operation: 'addToArray', values: ['x'] },
      { name: 'old', operation: 'unset' },
    ]);
  });

  it('is refused where it is wrong', () => {
    const keys = { born: { type: 'date' }, tags: { operation: 'addToArray' }, bad: { type: 'number' }, none: 5 };
    const sent = { installationId: 'i', data: { born: 'soon', far: {} }, __meta: { keys } };
    expect(problemPaths(readRequest(UserInfoRequest, sent))).toEqual([
      'data.born',
      'data.far',
      '__meta.keys.tags.value',
      '__meta.keys.bad.type',
      '__meta.keys.none',
    ]);
  });
});
