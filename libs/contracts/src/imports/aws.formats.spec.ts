import { readImported } from './read-imported';
import { importOptions, readDevice } from './testing/read-device';

describe('endpoints of AWS', () => {
  it('of SNS have their platform in the ARN, and name a user only by a mapping', () => {
    const endpoint = (platform: string, attributes: object): Record<string, unknown> => ({
      EndpointArn: `arn:aws:sns:eu-west-1:1:endpoint/${platform}/shop/0a`,
      Attributes: attributes,
    });
    const phone = endpoint('GCM', { Enabled: 'true', Token: 't', CustomUserData: 'ada' });
    expect(readDevice(phone, importOptions('sns'))).toMatchObject({
      userId: null,
      registration: { pushType: 'fcm', tokenStatus: null },
    });
    for (const column of ['Attributes.CustomUserData', 'CustomUserData']) {
      expect(readDevice(phone, importOptions('sns', { mapping: { userId: { column } } })).userId).toBe('ada');
    }
    const off = endpoint('APNS_SANDBOX', { Enabled: 'false', Token: 'AB' });
    expect(readDevice(off, importOptions('sns')).registration).toMatchObject({
      tokenStatus: 'DENIED',
      token: 'ab',
      pushType: 'apns',
    });
    for (const platform of ['ADM', 'BAIDU']) {
      expect(readImported(endpoint(platform, { Token: 't' }), importOptions('sns'))).toHaveProperty('skipped');
    }
  });

  it('of Pinpoint come as objects, or as rows whose columns have dots', () => {
    const object = {
      ChannelType: 'APNS',
      Address: 'AB',
      EndpointStatus: 'ACTIVE',
      OptOut: 'ALL',
      Location: { Country: 'NL', Latitude: 52.1, Longitude: 5.1 },
      Demographic: { AppVersion: '1.2', Locale: 'nl_NL', Timezone: 'Europe/Amsterdam', PlatformVersion: '17' },
      EffectiveDate: '2026-05-01T09:00:00.000Z',
      Attributes: { team: ['Ajax'] },
      User: { UserId: 'ada' },
    };
    const row = {
      ChannelType: 'APNS',
      Address: 'AB',
      EndpointStatus: 'ACTIVE',
      OptOut: 'ALL',
      'Location.Country': 'NL',
      'Location.Latitude': '52.1',
      'Location.Longitude': '5.1',
      'Demographic.AppVersion': '1.2',
      'Demographic.Locale': 'nl_NL',
      'Demographic.Timezone': 'Europe/Amsterdam',
      'Demographic.PlatformVersion': '17',
      EffectiveDate: '2026-05-01T09:00:00.000Z',
      'Attributes.team': '["Ajax"]',
      'User.UserId': 'ada',
    };
    const device = readDevice(object, importOptions('pinpoint'));
    expect(device).toMatchObject({
      userId: 'ada',
      attributes: { team: ['Ajax'] },
      registration: {
        token: 'ab',
        tokenStatus: 'DENIED',
        latitude: 52.1,
        timeZone: 'Europe/Amsterdam',
        osVersion: '17',
      },
    });
    expect(readDevice(row, importOptions('pinpoint'))).toEqual(device);
    const carried = { ...object, Attributes: { team: ['Ajax'] }, Metrics: { visits: 3, score: 1.5 } };
    const told = readDevice(
      { ...carried, User: { UserId: 'ada', UserAttributes: { age: ['7'], pets: ['cat', 'dog'] } } },
      importOptions('pinpoint'),
    );
    expect(told.attributes).toEqual({ visits: 3, score: 1.5, team: ['Ajax'], age: ['7'], pets: ['cat', 'dog'] });
    const columns = { 'Attributes.team': 'Ajax', 'Metrics.visits': '3', 'Metrics.score': '1.5' };
    const ofUser = { 'User.UserAttributes.age': '7', 'User.UserAttributes.pets': '["cat","dog"]' };
    expect(readDevice({ ...row, ...columns, ...ofUser }, importOptions('pinpoint'))).toEqual(told);
    for (const ChannelType of ['EMAIL', 'SMS', 'VOICE', 'ADM', 'APNS_VOIP']) {
      expect(readImported({ ...object, ChannelType }, importOptions('pinpoint'))).toHaveProperty('skipped');
    }
  });
});
