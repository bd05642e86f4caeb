import { CLIENT_TAGS, type ClientTags, MAX_RATE, type QuietHours } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readQuietHours, readTimeZone } from './read-quiet-hours';

const APPLICATION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const PROMO_EXHAUSTED = ['send_without', 'skip'] as const;
const MOST_REQUESTS_PER_SECOND = 1_000_000;
const MOST_LINK_RULES = 200;
const MOST_PROTECTED = 100;
const MOST_DEFERRED_MINUTES = 43_200;
const MOST_CONVERSION_HOURS = 720;

/** What an operator may choose for an application; undefined: not said. */
export interface ApplicationSettingsRequest {
  name?: string;
  defaultAlertText?: string;
  defaultRegion?: string | null;
  requireUserHash?: boolean;
  clientTags?: ClientTags;
  protectedAttributes?: string[];
  promoExhausted?: 'send_without' | 'skip';
  requestsPerSecond?: number | null;
  devicesPerSecond?: number | null;
  quietHours?: QuietHours | null;
  defaultTimeZone?: string | null;
  linkHosts?: string[];
  linkSchemes?: string[];
  matchByAddress?: boolean;
  deferredLinkMinutes?: number;
  conversionWindowHours?: number;
}

/** The body of `POST apps`. */
export type NewApplicationRequest = ApplicationSettingsRequest & { id: string; name: string };

/** @throws InvalidRequest naming every bad field */
export function readNewApplication(body: unknown): NewApplicationRequest {
  const fields = new BodyReader(body);
  const id = fields.optional<string>('id', (value) =>
    typeof value === 'string' && APPLICATION_ID.test(value)
      ? { value }
      : { problem: 'must be a letter or digit and up to 62 letters, digits, _ or -' },
  );
  fields.require('id', 'name');
  const settings = readSettings(fields);
  fields.finish();
  return { ...settings, id: id ?? '', name: settings.name ?? '' };
}

/** Reads the body of `PATCH apps/:id`. @throws InvalidRequest naming every bad field */
export function readApplicationChanges(body: unknown): ApplicationSettingsRequest {
  const fields = new BodyReader(body);
  if (fields.raw('id') !== undefined) fields.reject('id', 'cannot be changed');
  const settings = readSettings(fields);
  fields.finish();
  return settings;
}

function readSettings(fields: BodyReader): ApplicationSettingsRequest {
  const settings: ApplicationSettingsRequest = {
    name: fields.name('name') ?? undefined,
    defaultAlertText: fields.text('defaultAlertText', 1_000) ?? undefined,
    defaultRegion: fields.optional('defaultRegion', readRegion),
    ...readDeviceTrust(fields),
    promoExhausted: fields.oneOf('promoExhausted', PROMO_EXHAUSTED) ?? undefined,
    requestsPerSecond: fields.integer('requestsPerSecond', 1, MOST_REQUESTS_PER_SECOND),
    linkHosts: fields.list('linkHosts', MOST_LINK_RULES, readHost) ?? [],
    linkSchemes: fields.list('linkSchemes', MOST_LINK_RULES, readScheme) ?? [],
    matchByAddress: fields.boolean('matchByAddress') ?? undefined,
    deferredLinkMinutes: fields.integer('deferredLinkMinutes', 1, MOST_DEFERRED_MINUTES) ?? undefined,
    conversionWindowHours: fields.integer('conversionWindowHours', 1, MOST_CONVERSION_HOURS) ?? undefined,
    devicesPerSecond: fields.integer('devicesPerSecond', 1, MAX_RATE),
    quietHours: readQuietHours(fields),
    defaultTimeZone: fields.optional('defaultTimeZone', readTimeZone),
  };
  const said = new Set(fields.names());
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => said.has(name) && value !== undefined));
}

/** What devices may do that have only the key inside an app. */
function readDeviceTrust(
  fields: BodyReader,
): Pick<ApplicationSettingsRequest, 'requireUserHash' | 'clientTags' | 'protectedAttributes'> {
  return {
    requireUserHash: fields.boolean('requireUserHash') ?? undefined,
    clientTags: fields.oneOf('clientTags', CLIENT_TAGS) ?? undefined,
    protectedAttributes: fields.nameList('protectedAttributes', MOST_PROTECTED) ?? undefined,
  };
}

function readRegion(value: unknown): { value: string } | { problem: string } {
  if (typeof value === 'string' && /^[A-Za-z]{2}$/.test(value)) return { value: value.toUpperCase() };
  return { problem: 'must be a region of two letters (ISO 3166)' };
}

/** A host as browsers write it, with a port if it is not the usual one; `*.` before it means every host below it. */
function readHost(value: unknown): { value: string } | { problem: string } {
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

function readScheme(value: unknown): { value: string } | { problem: string } {
  if (typeof value === 'string' && /^[a-z][a-z0-9+.-]{0,62}$/i.test(value)) return { value: value.toLowerCase() };
  return { problem: 'must be the scheme of an app, without a colon' };
}
