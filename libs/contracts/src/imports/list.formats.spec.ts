import { unreadColumns } from '@postrider/domain';
import { columnsAsSpelled } from './column-names';
import { readImported } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

const P256DH = Buffer.alloc(65, 4);
const AUTH = Buffer.alloc(16, 0xfb);

describe('lists', () => {
  const subscription = {
    endpoint: 'https://push.example/x',
    expirationTime: null,
    keys: { p256dh: P256DH.toString('base64url'), auth: AUTH.toString('base64url') },
  };

  it('of subscriptions have their user beside them or within, and come as text too', () => {
    const forms = [
      { ...subscription, userId: 'ada' },
      { subscription, userId: 'ada' },
      { subscription: JSON.stringify(subscription), userId: 'ada' },
      { subscription: { ...subscription, userId: 'ada' } },
    ];
    for (const form of forms) {
      expect(readDevice(form, importOptions('webpush'))).toMatchObject({
        userId: 'ada',
        registration: { pushType: 'webpush' },
      });
    }
    expect(readDevice({ subscription: JSON.stringify(subscription) }, importOptions('webpush')).userId).toBeNull();
    expect(readImported({ endpoint: 'https://push.example/x' }, importOptions('webpush'))).toHaveProperty('problem');
    expect(readImported({ userId: 'ada', subscription: null }, importOptions('webpush'))).toEqual({
      skipped: 'has no token',
    });
  });

  it('of subscriptions may have their keys in columns of CSV, with the path of the key or without', () => {
    const { endpoint, keys } = subscription;
    for (const header of [
      ['endpoint', 'keys.p256dh', 'keys.auth', 'userId'],
      ['Endpoint', 'Keys.P256DH', 'Keys.Auth', 'User_Id'],
      ['endpoint', 'p256dh', 'auth', 'userId'],
      ['endpoint', 'public_key', 'auth_token', 'user_id'],
      ['endpoint', 'p256dh_key', 'auth_key', 'user_id'],
      ['endpoint', 'key_p256dh', 'key_auth', 'user_id'],
    ]) {
      const columns = columnsAsSpelled('webpush', header);
      const cells = [endpoint, keys.p256dh, keys.auth, 'ada'];
      const record = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
      expect(readDevice(record, importOptions('webpush'))).toMatchObject({
        userId: 'ada',
        registration: { pushType: 'webpush', token: expect.stringContaining(endpoint) },
      });
      expect(unreadColumns('webpush', header)).toEqual([]);
    }
  });

  it('of subscriptions belong to the users that Laravel names, and not to its other owners', () => {
    const { endpoint, keys } = subscription;
    const row = { endpoint, public_key: keys.p256dh, auth_token: keys.auth, subscribable_id: '7' };
    for (const [type, userId] of [
      ['App\\Models\\User', '7'],
      ['user', '7'],
      ['App\\Models\\Team', null],
      [undefined, null],
    ] as const)
      expect(readDevice({ ...row, subscribable_type: type }, importOptions('webpush')).userId).toBe(userId);
  });

  it('have their user under the names that other systems use', () => {
    const fcm = importOptions('tokens', { pushType: 'fcm' });
    for (const name of ['userId', 'user_id', 'user', 'external_id', 'external_user_id']) {
      expect(columnsAsSpelled('tokens', ['Token', name.toUpperCase()])).toEqual(['token', name]);
      expect(readDevice({ token: 't', [name]: 'ada' }, fcm).userId).toBe('ada');
      expect(readDevice({ subscription, [name]: 'ada' }, importOptions('webpush')).userId).toBe('ada');
    }
    expect(readDevice({ token: 't', user: 'a person', userId: 'ada' }, fcm).userId).toBe('ada');
    expect(readImported({ token: 't', user: { name: 'Ada' } }, fcm)).toEqual({
      problem: 'user (userId) must be text of 1 to 255 characters',
    });
  });

  it('name their user by an ObjectId too, and never lose one that is no text', () => {
    const fcm = importOptions('tokens', { pushType: 'fcm' });
    const userId = { $oid: '507f1f77bcf86cd799439011' };
    expect(readDevice({ token: 't', userId }, fcm).userId).toBe('507f1f77bcf86cd799439011');
    expect(readDevice({ subscription, userId }, importOptions('webpush')).userId).toBe('507f1f77bcf86cd799439011');
    const problem = 'userId must be text of 1 to 255 characters';
    for (const wrong of [{ id: 'ada' }, ['ada']]) {
      expect(readImported({ token: 't', userId: wrong }, fcm)).toEqual({ problem });
      expect(readImported({ subscription, userId: wrong }, importOptions('webpush'))).toEqual({ problem });
    }
  });

  it('of tokens are in any case for APNs', () => {
    const apns = importOptions('tokens', { pushType: 'apns' });
    for (const token of ['0A1B2C3D', '0a1b2c3d', '<0a1b 2c3d>']) {
      expect(readDevice({ 1: token, 2: 'ada' }, apns)).toMatchObject({
        userId: 'ada',
        registration: { token: '0a1b2c3d' },
      });
    }
    expect(readImported({ token: 'a b' }, importOptions('tokens', { pushType: 'fcm' }))).toHaveProperty('problem');
    expect(readImported({ userId: 'ada' }, importOptions('tokens', { pushType: 'fcm' }))).toEqual({
      skipped: 'has no token',
    });
  });

  it('of tokens may have their push type from a mapping', () => {
    const all = importOptions('tokens', { mapping: { pushType: { value: 'apns' } } });
    expect(readDevice({ 1: '<0A1B 2C3D>', 2: 'ada' }, all)).toMatchObject({
      userId: 'ada',
      registration: { pushType: 'apns', token: '0a1b2c3d' },
    });
    const each = importOptions('tokens', { mapping: { pushType: { column: 'service' } } });
    expect(readDevice({ token: 'abc', service: 'hms' }, each)).toMatchObject({ registration: { pushType: 'hms' } });
    for (const [service, deviceType] of [
      ['apns', 'ios'],
      ['fcm', 'android'],
    ]) {
      expect(readDevice({ token: 'abc', service }, each).registration.deviceType).toBe(deviceType);
      // The line says more than the upload.
      const both = importOptions('tokens', { ...each, pushType: 'hms' });
      expect(readDevice({ token: 'abc', service }, both).registration.deviceType).toBe(deviceType);
    }
    const tablet = importOptions('tokens', { mapping: { ...each.mapping, deviceType: { value: 'Tablet' } } });
    expect(readDevice({ token: 'abc', service: 'fcm' }, tablet).registration.deviceType).toBe('tablet');
    expect(readImported({ token: 'abc', service: '' }, each)).toEqual({
      problem: expect.stringContaining('is missing: fcm, apns, hms or webpush'),
    });
  });
});
