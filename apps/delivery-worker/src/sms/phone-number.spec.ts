import { PHONE_REGIONS } from '@postrider/domain';
import { getCountries } from 'libphonenumber-js/mobile';
import { phoneNumberOf } from './phone-number';

const number = (attribute: unknown, userId: string, defaultRegion: string | null = null): string | null =>
  phoneNumberOf({ attribute, userId, defaultRegion });

describe('the number a user gets SMS at', () => {
  it('can be read for every region that an application may have', () => {
    expect([...PHONE_REGIONS].sort()).toEqual(getCountries().sort());
  });

  it.each([
    ['is the attribute, in E.164', '+14155552345', 'ada', null, '+14155552345'],
    ['is read as people write it', ' +98 (912) 345-6789 ', 'ada', null, '+989123456789'],
    ['is completed by the region', '0912 345 6789', 'ada', 'IR', '+989123456789'],
    ['is completed by the region, with the country code written first', '989123456789', 'ada', 'IR', '+989123456789'],
    ['has its country code once, even where numbers vary in length', '4915112345678', 'ada', 'DE', '+4915112345678'],
    ['has its country code once, when stored as a number', 62812345678, 'ada', 'ID', '+62812345678'],
    ['is the user id with the country code first', undefined, '4915112345678', 'DE', '+4915112345678'],
    ['begins with the country code by chance', '0491 5123456', 'ada', 'DE', '+494915123456'],
    [
      'is of the region, when read as another country’s it would be one too',
      '13012345678',
      'ada',
      'CN',
      '+8613012345678',
    ],
    ['may be stored as a number', 9123456789, 'ada', 'IR', '+989123456789'],
    ['is the attribute even when the user id is one too', '+14155552345', '+14155552346', null, '+14155552345'],
    ['is taken at its word when it could be one', '+15550001111', 'ada', null, '+15550001111'],
    ['is the user id when there is no attribute', undefined, '+989123456789', null, '+989123456789'],
    ['is the user id of the region', undefined, '09123456789', 'IR', '+989123456789'],
    ['is the user id when the attribute is no number', 'ask my wife', '09123456789', 'IR', '+989123456789'],
    ['is the user id when the attribute is of another kind', { home: '+1' }, '+989123456789', null, '+989123456789'],
  ])('%s', (_name, attribute, userId, region, expected) => {
    expect(number(attribute, userId, region)).toBe(expected);
  });

  it.each([
    ['nothing is one', undefined, 'ada', 'IR'],
    ['a number without a country code has no region', '09123456789', '09123456789', null],
    ['the region is none', '09123456789', 'ada', 'XX'],
    ['the user id is just digits', undefined, '1234567', 'IR'],
    ['the user id is a row of digits as long as a number', undefined, '1234567890', 'US'],
    ['the user id is a landline', undefined, '02188776655', 'IR'],
    ['the user id only contains a number', undefined, 'user +989123456789', 'IR'],
    ['the user id is an e-mail address', undefined, '09123456789@example.com', 'IR'],
    ['the user id is a mobile number of another country, without +', undefined, '393331234567', 'DE'],
    ['it has an extension', '+14155552345 ext. 12', 'ada', 'US'],
    ['it is too short', '+1415', 'ada', null],
    ['it is too long', `+${'1'.repeat(300)}`, 'ada', null],
    ['it is empty', '', 'ada', 'IR'],
    ['it is true', true, 'ada', 'IR'],
  ])('is none when %s', (_name, attribute, userId, region) => {
    expect(number(attribute, userId, region)).toBeNull();
  });
});
