import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

/** What a user's phone number is looked for in. */
export interface PhoneSources {
  /** The attribute `phone` as it is stored: any JSON. */
  attribute: unknown;
  userId: string;
  /** ISO 3166 code of the country of numbers that name none; null: they cannot be read. */
  defaultRegion: string | null;
}

/**
 * The number that a user gets SMS at, in E.164: the attribute `phone`, else the user id if it is a number. An attribute is
 * taken at its word as long as it could be a number. So is a user id that begins with `+`; any other one has to be a mobile
 * number of the region, since most ids made of digits are no phone numbers.
 */
export function phoneNumberOf({ attribute, userId, defaultRegion }: PhoneSources): string | null {
  const written = typeof attribute === 'number' ? String(attribute) : attribute;
  const region = defaultRegion !== null && isSupportedCountry(defaultRegion) ? defaultRegion : undefined;
  const fromAttribute = typeof written === 'string' ? read(written, region, 'possible') : null;
  return fromAttribute ?? read(userId, region, userId.trim().startsWith('+') ? 'possible' : 'valid');
}

/** The whole text must be the number, not a part of it. */
function read(text: string, region: CountryCode | undefined, atLeast: 'possible' | 'valid'): string | null {
  const options = { extract: false, ...(region === undefined ? {} : { defaultCountry: region }) };
  const number = parsePhoneNumberFromString(text.trim(), options);
  if (number === undefined || number.ext !== undefined) return null;
  return (atLeast === 'valid' ? number.isValid() : number.isPossible()) ? number.number : null;
}
