import { type ImportReading, readImported } from './read-imported';

describe('the location of an installation of Parse', () => {
  const record = { deviceType: 'ios', deviceToken: 'ab' };
  const readingOf = (location: unknown): ImportReading =>
    readImported({ ...record, location }, { format: 'parse', mapping: null, pushType: null });

  it.each([
    ['a GeoPoint of REST', { __type: 'GeoPoint', latitude: 52.5, longitude: 13.4 }],
    ['a GeoPoint in a cell of the dashboard', '{"__type":"GeoPoint","latitude":52.5,"longitude":13.4}'],
    ['longitude and latitude of MongoDB', [13.4, 52.5]],
    ['the canonical form of them', [{ $numberDouble: '13.4' }, { $numberDouble: '52.5' }]],
    ['them in a cell', '[13.4,52.5]'],
  ])('is the place of the device: %s', (_, location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: 52.5, longitude: 13.4 } },
      notice: null,
    });
  });

  it.each([
    ['Berlin'],
    [{ __type: 'GeoPoint', latitude: 52.5 }],
    [{ latitude: 152.5, longitude: 13.4 }],
    [{ city: 'Berlin' }],
    [[13.4]],
    [['east', 'north']],
  ])('that is no place is reported, and the device is imported without it: %j', (location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: null, longitude: null } },
      notice: expect.stringMatching(/^location/) as string,
    });
  });

  it.each([[undefined], [null], ['']])('is not there: %j', (location) => {
    expect(readingOf(location)).toMatchObject({
      device: { registration: { latitude: null, longitude: null } },
      notice: null,
    });
  });
});
