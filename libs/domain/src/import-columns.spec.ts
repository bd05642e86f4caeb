import { hasTokenSecond, importSeparatorOf, looksLikeToken, recogniseHeader, unreadColumns } from './import-columns';

describe('a CSV file of devices', () => {
  it('is known by its columns in any case', () => {
    expect(recogniseHeader(['id', 'identifier', 'device_type'])).toBe('onesignal');
    expect(recogniseHeader(['ChannelType', 'Address', 'User.UserId'])).toBe('pinpoint');
    expect(recogniseHeader(['objectId', 'deviceToken', 'deviceType'])).toBe('parse');
    expect(recogniseHeader(['token', 'user data'])).toBe('sns');
    expect(recogniseHeader(['token', 'userId'])).toBe('tokens');
    expect(recogniseHeader(['Identifier', 'DEVICE_TYPE'])).toBe('onesignal');
    expect(recogniseHeader(['a', 'b'])).toBeNull();
  });

  it('has columns that its format does not read, except in Parse, whose further fields are kept', () => {
    expect(unreadColumns('tokens', ['Token', 'userId', 'colour', ''])).toEqual(['colour']);
    expect(unreadColumns('onesignal', ['id', 'identifier', 'device_type', 'loyalty_tier'])).toEqual([
      'id',
      'loyalty_tier',
    ]);
    expect(unreadColumns('pinpoint', ['ChannelType', 'Address', 'attributes.colour', 'Cohort'])).toEqual(['Cohort']);
    expect(unreadColumns('parse', ['deviceToken', 'deviceType', 'colour'])).toEqual([]);
  });

  it('without a header is known by a first token', () => {
    expect(looksLikeToken(['fX2k0a1b2c3d4e5f6a7b8c9d:APA91', 'ada'])).toBe(true);
    for (const names of [
      ['token', 'userId'],
      ['TOKEN', 'UserId'],
      ['fcm_registration_token', 'customer_id'],
      ['name', 'email', 'phone'],
    ])
      expect(looksLikeToken(names)).toBe(false);
    expect(looksLikeToken(['ada-1', 'ada'])).toBe(false);
    expect(looksLikeToken(['ada-1', 'ada'], 4)).toBe(true);
    expect(looksLikeToken(['<ab 12>'], 4)).toBe(true);
    for (const names of [['phone', 'user'], ['a-1'], ['token', '12345']]) expect(looksLikeToken(names, 4)).toBe(false);
  });

  it('without a header is not known by the id of a user, which is no token', () => {
    const uuid = '0f6f1c2e-7d1b-4c6a-9b8e-3d2f1a0b9c8d';
    const fcm = `dGhpcyBpcyBhIHRva2Vu:APA91b${'x1'.repeat(60)}`;
    const apns = '0a1b'.repeat(16);
    for (const users of [[uuid], [uuid, 'ada'], [uuid, fcm], ['kX3v9Qm2LpTz8RwYbN5cJd7HsF41', apns]])
      expect(looksLikeToken(users)).toBe(false);
    for (const users of [
      ['100017', fcm],
      ['17', apns.toUpperCase()],
      [uuid, `<${apns}>`],
    ]) {
      expect(looksLikeToken(users, 4)).toBe(false);
      expect(hasTokenSecond(users)).toBe(true);
    }
    for (const tokens of [[fcm, uuid], [apns, '0f'.repeat(32)], [fcm, apns], ['user_id', 'token'], [apns]])
      expect(hasTokenSecond(tokens)).toBe(false);
    expect(looksLikeToken([uuid], 4)).toBe(true);
  });

  it('is cut where that gives columns that are known or mapped', () => {
    expect(importSeparatorOf('Identifier;Device_Type;a,b,c', [], true)).toBe(';');
    expect(importSeparatorOf('push;customer;a,b,c', ['push', 'customer'], true)).toBe(';');
    expect(importSeparatorOf('push;customer;a,b,c', [], true)).toBe(',');
    expect(importSeparatorOf('t;ada', ['1', '2'], false)).toBe(';');
    expect(importSeparatorOf('fX2k0a1b2c3d4e5f6a7b8c9d;ada', [], true)).toBe(';');
  });
});
