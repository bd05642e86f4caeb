import { randomBytes, randomUUID } from 'node:crypto';
import { DAY_MS, versionSortKey } from '@postrider/domain';
import { CHANNELS, DEVICE_MODELS, INTERESTS, PLACES, VERSIONS } from './world';

/** Shares of devices by vendor; they add up to 1. */
export type VendorMix = Partial<Record<'fcm' | 'apns' | 'hms' | 'webpush', number>>;

/** The usual mix of a European consumer application. */
export const USUAL_MIX: VendorMix = { fcm: 0.68, apns: 0.28, hms: 0.03, webpush: 0.01 };

/** One user as the columns of `users`. */
export interface SeedUser {
  userId: string;
  tags: string[];
  tagValues: Record<string, string>;
  attributes: Record<string, string | number>;
}

/** One device as the columns of `installations`. */
export interface SeedDevice {
  installationId: string;
  user: SeedUser;
  deviceType: string;
  pushType: string;
  token: string | null;
  tokenStatus: string | null;
  osVersion: string;
  clientVersion: string;
  launchCount: number;
  launchTime: Date;
  installDate: Date;
  channels: string[];
  model: string;
  place: (typeof PLACES)[number];
  latitude: number;
  longitude: number;
}

const DEVICE_TYPE = { fcm: 'android', hms: 'android', apns: 'ios', webpush: 'web' } as const;
const keys = new Map<string, string | null>();

/** The sort key of a version; there are few versions and many devices. */
export function versionKey(version: string): string | null {
  let key = keys.get(version);
  if (key === undefined) keys.set(version, (key = versionSortKey(version)));
  return key;
}

/**
 * Draws a believable population: users with one to four devices, interests as tags, versions that age, places that cluster in
 * cities, a few devices without a usable token.
 *
 * @param reachable when true every device has a usable token
 */
export function* drawPopulation(devices: number, mix: VendorMix, now: Date, reachable = false): Generator<SeedDevice> {
  let drawn = 0;
  for (let userNumber = 0; drawn < devices; userNumber++) {
    const user = drawUser(userNumber);
    const place = PLACES[skewed(PLACES.length)] as (typeof PLACES)[number];
    for (let owned = drawDeviceCount(); owned > 0 && drawn < devices; owned--, drawn++) {
      yield drawDevice(user, place, drawVendor(mix), now, reachable);
    }
  }
}

function drawUser(userNumber: number): SeedUser {
  const tags = new Set<string>();
  for (let wanted = Math.floor(Math.random() * 4); wanted > 0; wanted--)
    tags.add(INTERESTS[skewed(INTERESTS.length)] as string);
  const tagValues: Record<string, string> = {};
  if (Math.random() < 0.3) {
    tags.add('plan');
    tagValues.plan = Math.random() < 0.2 ? 'premium' : 'free';
  }
  const attributes: SeedUser['attributes'] = { 'purchase.count': skewed(30) };
  if (Math.random() < 0.5) attributes.age = 16 + Math.floor(Math.random() * 60);
  return { userId: `user-${userNumber}`, tags: [...tags], tagValues, attributes };
}

function drawDevice(
  user: SeedUser,
  place: SeedDevice['place'],
  vendor: keyof typeof DEVICE_TYPE,
  now: Date,
  reachable: boolean,
): SeedDevice {
  const deviceType = DEVICE_TYPE[vendor];
  const age = Math.random() ** 2 * 700 * DAY_MS;
  const versions = VERSIONS[deviceType];
  const luck = reachable ? 1 : Math.random();
  return {
    installationId: randomUUID(),
    user,
    deviceType,
    pushType: vendor,
    token: luck < 0.02 ? null : drawToken(vendor),
    tokenStatus: luck < 0.05 ? 'DENIED' : null,
    osVersion: versions[skewed(versions.length)] as string,
    clientVersion: VERSIONS.client[skewed(VERSIONS.client.length)] as string,
    launchCount: 1 + skewed(400),
    launchTime: new Date(now.getTime() - Math.random() ** 3 * age),
    installDate: new Date(now.getTime() - age),
    channels: Math.random() < 0.25 ? [CHANNELS[skewed(CHANNELS.length)] as string] : [],
    model: DEVICE_MODELS[deviceType][skewed(DEVICE_MODELS[deviceType].length)] as string,
    place,
    latitude: clamp(place.latitude + (Math.random() - 0.5) / 3, 90),
    longitude: clamp(place.longitude + (Math.random() - 0.5) / 3, 180),
  };
}

let entropy = Buffer.alloc(0);
let used = 0;

/** Random bytes out of a large pool: one system call for thousands of tokens. */
function draw(bytes: number): Buffer {
  if (used + bytes > entropy.length) {
    entropy = randomBytes(1 << 20);
    used = 0;
  }
  used += bytes;
  return entropy.subarray(used - bytes, used);
}

function drawToken(vendor: keyof typeof DEVICE_TYPE): string {
  if (vendor === 'apns') return draw(32).toString('hex');
  if (vendor === 'webpush') return webPushSubscription();
  return `${drawInstanceId()}:APA91b${draw(90).toString('base64url')}`;
}

/**
 * Begins with a `c`, as one in four of Firebase's does. One that begins by chance with `bad-` or `dead-` would ask the
 * vendor simulator to refuse it: among a million of random ones that happened now and then.
 */
function drawInstanceId(): string {
  const id = draw(16);
  id[0] = 0x70 | ((id[0] as number) & 0x03);
  return id.toString('base64url');
}

function webPushSubscription(): string {
  const keys = { p256dh: `B${draw(64).toString('base64url')}`, auth: draw(16).toString('base64url') };
  return JSON.stringify({
    endpoint: `https://push.example/${draw(18).toString('base64url')}`,
    expirationTime: null,
    keys,
  });
}

function drawVendor(mix: VendorMix): keyof typeof DEVICE_TYPE {
  let left = Math.random();
  for (const [vendor, share] of Object.entries(mix)) {
    left -= share;
    if (left < 0) return vendor as keyof typeof DEVICE_TYPE;
  }
  return 'fcm';
}

function drawDeviceCount(): number {
  const luck = Math.random();
  if (luck < 0.6) return 1;
  return luck < 0.9 ? 2 : 3 + Math.floor(Math.random() * 2);
}

/** A whole number below `limit`, low ones more often than high ones. */
function skewed(limit: number): number {
  return Math.floor(Math.random() ** 2 * limit);
}

function clamp(value: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, value));
}
