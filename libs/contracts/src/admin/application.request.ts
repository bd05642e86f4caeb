import { ApiProperty } from '@nestjs/swagger';
import {
  CLIENT_TAGS,
  type ClientTags,
  DAY_SECONDS,
  type FrequencyCap,
  type JsonObject,
  MAX_RATE,
  PHONE_REGIONS,
  type QuietHours,
} from '@postrider/domain';
import { IsRevision } from '../drafts/draft.request';
import { fieldNames, fieldOf, Optional, RefusesUnknownFields, Removable } from '../validation/field';
import {
  IsFlag,
  IsListOf,
  IsName,
  IsNameList,
  IsOneOf,
  IsRefused,
  IsText,
  IsTextLike,
  IsWholeNumber,
} from '../validation/fields';
import { AbsentBodyIsEmpty } from '../validation/read-request';
import { type Reading, readTextLike } from '../validation/values';
import { IsFrequencyCaps } from '../messages/frequency-caps';
import { IsQuietHours, IsTimeZone } from './quiet-hours';

const MOST_REQUESTS_PER_SECOND = 1_000_000;
const MOST_LINK_RULES = 200;
const MOST_PROTECTED = 100;
const MOST_DEFERRED_MINUTES = 43_200;
const MOST_CONVERSION_HOURS = 720;
/** A month: apps that are seldom opened ask the backend for a new hash late. */
const MOST_FORMER_SECONDS = 30 * DAY_SECONDS;
const IDENTITY_KEY = /^[\x21-\x7e]{32,255}$/;
const APP_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,62}$/;

/** What happens to a message with a promo code when the codes run out. */
export const PROMO_EXHAUSTED = ['send_without', 'skip'] as const;
export type PromoExhausted = (typeof PROMO_EXHAUSTED)[number];

/** The settings that an operator chooses for an application. */
class ApplicationSettings {
  @Optional() @IsText(1_000) @ApiProperty({ default: 'You have a new message' }) defaultAlertText?: string;
  @Optional() @Removable(null) @IsRegion() defaultRegion?: string | null;

  @Optional()
  @IsFlag('Devices must prove their user with userHash; a device that has not done so receives nothing')
  @ApiProperty({ default: false })
  requireUserHash?: boolean;

  @Optional()
  @IsOneOf(CLIENT_TAGS, {
    description:
      "Whose tags a token of the scope `devices` may edit: those of the device's own user, of any user, or of no user",
  })
  @ApiProperty({ default: 'own' })
  clientTags?: ClientTags;

  @Optional()
  @IsNameList({ max: MOST_PROTECTED })
  @ApiProperty({ default: ['phone'], description: 'Attributes that a device can set only with a correct userHash' })
  protectedAttributes?: string[];

  @Optional() @IsOneOf(PROMO_EXHAUSTED) @ApiProperty({ default: 'send_without' }) promoExhausted?: PromoExhausted;
  @Optional() @Removable(null) @IsWholeNumber(1, MOST_REQUESTS_PER_SECOND) requestsPerSecond?: number | null;

  @Optional()
  @Removable([])
  @IsListOf(readHost, { items: { type: 'string', maxLength: 257 }, max: MOST_LINK_RULES })
  @ApiProperty({
    description:
      'Hosts that tracker links may lead to (shop.example, *.shop.example); without any: the hosts that trackers name',
  })
  linkHosts?: string[];

  @Optional()
  @Removable([])
  @IsListOf(readScheme, { items: { type: 'string', pattern: APP_SCHEME.source }, max: MOST_LINK_RULES })
  @ApiProperty({
    description: 'URL schemes of apps that tracker links may open; without any: every scheme that is not dangerous',
  })
  linkSchemes?: string[];

  @Optional()
  @IsFlag('Match deferred links by network address and user agent too')
  @ApiProperty({ default: false })
  matchByAddress?: boolean;

  @Optional() @IsWholeNumber(1, MOST_DEFERRED_MINUTES) @ApiProperty({ default: 60 }) deferredLinkMinutes?: number;
  @Optional() @IsWholeNumber(1, MOST_CONVERSION_HOURS) @ApiProperty({ default: 24 }) conversionWindowHours?: number;

  @Optional()
  @Removable(null)
  @IsWholeNumber(1, MAX_RATE, { description: 'for all sends together' })
  devicesPerSecond?: number | null;

  @Optional() @Removable(null) @IsQuietHours() quietHours?: QuietHours | null;

  @Optional()
  @Removable(null)
  @IsTimeZone('the time zone of devices that report none; UTC when null')
  defaultTimeZone?: string | null;

  @Optional()
  @Removable([])
  @IsFrequencyCaps()
  @ApiProperty({
    description: 'The most campaigns that a user gets within any period of that many seconds; empty: no limit',
  })
  frequencyCaps?: FrequencyCap[];
}

/** The body of `POST apps`. A misspelt setting would protect nobody (`requireUserHash`), so unknown fields are refused. */
@RefusesUnknownFields()
export class NewApplicationRequest extends ApplicationSettings {
  @IsTextLike(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/, 'must be a letter or digit and up to 62 letters, digits, _ or -')
  id!: string;

  @IsName() name!: string;
}

/** The body of `PATCH apps/:id`: fields that are left out do not change. */
@RefusesUnknownFields()
export class ApplicationChangesRequest extends ApplicationSettings {
  @IsRefused('cannot be changed') id?: string;
  @Optional() @IsName() name?: string;
}

/** The query of `PATCH apps/:id`. */
export class ApplicationChangesQuery {
  @Optional()
  @IsRevision(
    'change the settings only while they have this revision; if they have another one by now, the answer is 409',
  )
  revision?: number;
}

/** The body of `POST apps/:id/rotate-identity-key`. */
@AbsentBodyIsEmpty()
@RefusesUnknownFields()
export class NewIdentityKeyRequest {
  @Optional()
  @IsTextLike(IDENTITY_KEY, 'must be 32 to 255 printable ASCII characters without blanks; leave it out to get one')
  @ApiProperty({ description: 'a key that your backend has already; generated when it is left out' })
  identityKey?: string;

  @IsWholeNumber(0, MOST_FORMER_SECONDS, {
    default: DAY_SECONDS,
    description: 'how long the former key stays valid beside the new one, in seconds; 0: no longer from now on',
  })
  formerValidSeconds!: number;
}

/** The settings that this version knows: an archive may be of a version that has more. */
export function knownSettingsOf(settings: JsonObject): JsonObject {
  const known = fieldNames(ApplicationChangesRequest.prototype);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => known.has(name)));
}

function IsRegion(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isRegion',
    read: (value) =>
      typeof value === 'string' && PHONE_REGIONS.has(value.toUpperCase())
        ? { value: value.toUpperCase() }
        : { problem: 'must be a region of two letters (ISO 3166) that has phone numbers, such as GB' },
    schema: { type: 'string', pattern: '^[A-Za-z]{2}$', minLength: 2, maxLength: 2 },
  });
}

/** A host as browsers write it, with a port if it is not the usual one; `*.` before it means every host below it. */
function readHost(value: unknown): Reading<string> {
  const parts = typeof value === 'string' ? /^(\*\.)?([^\s/?#@\\*]{1,255})$/.exec(value) : null;
  const host = parts?.[2] === undefined ? null : canonicalHost(parts[2]);
  return host === null
    ? { problem: 'must be a host: shop.example, *.shop.example' }
    : { value: (parts?.[1] ?? '') + host };
}

function canonicalHost(text: string): string | null {
  if (!URL.canParse(`https://${text}`)) return null;
  const { host, hostname, pathname } = new URL(`https://${text}`);
  return hostname !== '' && !hostname.endsWith('.') && pathname === '/' ? host : null;
}

function readScheme(value: unknown): Reading<string> {
  const reading = readTextLike(value, APP_SCHEME, 'must be the scheme of an app, without a colon');
  return 'value' in reading ? { value: reading.value.toLowerCase() } : reading;
}
