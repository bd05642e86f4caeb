import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/mobile';

/** The sources of a user's phone number. */
interface PhoneSources {
  /** The attribute `phone` as it is stored: any JSON. */
  attribute: unknown;
  userId: string;
  /** The ISO 3166 code of the country for numbers without a country code; null: such numbers cannot be read. */
  defaultRegion: string | null;
}

/**
 * Returns the number that gets a user's SMS, in E.164: the attribute `phone`, or the user id if it is a number. An
 * attribute is accepted if it could be a number, and so is a user id that begins with `+`; any other user id must be a
 * mobile number of the region, since most ids made of digits are not phone numbers.
 */
export function phoneNumberOf({ attribute, userId, defaultRegion }: PhoneSources): string | null {
  const written = typeof attribute === 'number' ? String(attribute) : attribute;
  const region = defaultRegion !== null && isSupportedCountry(defaultRegion) ? defaultRegion : undefined;
  const fromAttribute = typeof written === 'string' ? read(written, region, 'possible') : null;
  return fromAttribute ?? read(userId, region, userId.trim().startsWith('+') ? 'possible' : 'valid');
}

/** The whole text must be the number, not a part of it. */
function read(text: string, region: CountryCode | undefined, atLeast: 'possible' | 'valid'): string | null {
  const number = parse(text.trim(), region);
  if (number === undefined || number.ext !== undefined) return null;
  return (atLeast === 'valid' ? number.isValid() : number.isPossible()) ? number.number : null;
}

/**
 * Where numbers vary in length (Germany, Indonesia), a number with its country code and no `+` could be one without a
 * country code: the SMS would go to a wrong number.
 */
function parse(text: string, region: CountryCode | undefined): PhoneNumber | undefined {
  if (region === undefined) return parsePhoneNumberFromString(text, { extract: false });
  const national = parsePhoneNumberFromString(text, { extract: false, defaultCountry: region });
  if (national === undefined || national.isValid()) return national;
  const complete = parsePhoneNumberFromString(`+${text}`, { extract: false });
  const isOfRegion = complete?.countryCallingCode === national.countryCallingCode && complete.isValid();
  return isOfRegion ? complete : national;
}
