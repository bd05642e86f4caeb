import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type ImportedDevice, MOST_TAGS } from '@postrider/contracts';
import { type Clock, DAY_MS, type JsonObject } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DeviceImportsRepository,
  type DeviceToImport,
  doNotWaitForDisk,
  type Executor,
  type ImportCounts,
  type ImportedUser,
  ImportsRepository,
  inRetriedTransaction,
  type LineError,
  type TokenValidation,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, newId } from '@postrider/platform';
import type { ReadRecords } from './read-import-records';

/** A worker that has not come back for more after this time is taken for dead. */
const FORSAKEN_AFTER_MS = 30_000;
/** How many wrong lines of a file are told one by one. */
const MOST_ERRORS = 1_000_000;

/** A stretch of a file: where it begins and ends, and what it says. */
export interface Stretch {
  from: number;
  to: { position: number; lines: number; columns: string[] | null };
  read: ReadRecords;
  isLast: boolean;
}

/** A device, and the lines that name it: the last one says what it is. */
interface NamedDevice {
  device: DeviceToImport;
  lines: number[];
}

/**
 * Writes the devices of a stretch, its counts and how far the file is worked in one transaction. Only the last one of a file waits
 * until it is on disk, and all before it are by then: a file that is `done` stays so.
 */
@Injectable()
export class WriteStretch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly files: DeviceImportsRepository,
    private readonly imports: ImportsRepository,
  ) {}

  /**
   * @param failedBefore lines of the file that are wrong before this stretch
   * @returns false when the stretch is somebody else's
   */
  async write(
    key: { appId: string; jobId: string },
    stretch: Stretch & { validation: TokenValidation },
    failedBefore: number,
  ): Promise<boolean> {
    const { read, validation, isLast, to } = stretch;
    return inRetriedTransaction(this.database, async (executor) => {
      if (!(await this.files.lock(executor, key, stretch.from))) return false;
      const hasEnded = isLast || read.failure !== null;
      // A crash of PostgreSQL takes the devices back together with the position, and the stretch is worked again.
      if (!hasEnded) await doNotWaitForDisk(executor);
      const now = this.clock.now();
      const { counts, errors } = await this.#import(executor, key.appId, read, now);
      const wakeAt = new Date(now.getTime() + (hasEnded ? this.config.retentionDays * DAY_MS : FORSAKEN_AFTER_MS));
      const all = [...read.errors, ...errors].sort((one, other) => one.line - other.line);
      await this.files.advance(executor, key, {
        ...to,
        ...counts,
        ...validation,
        skipped: read.skipped,
        failed: all.length,
        errors: all.slice(0, Math.max(0, MOST_ERRORS - failedBefore)),
        isLast,
        failure: read.failure,
        now,
        wakeAt,
      });
      return true;
    });
  }

  async #import(
    executor: Executor,
    appId: string,
    { devices: read }: ReadRecords,
    now: Date,
  ): Promise<{ counts: Pick<ImportCounts, 'created' | 'updated' | 'unchanged'>; errors: LineError[] }> {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    if (read.length === 0) return { counts, errors: [] };
    const guests = read.filter(({ device }) => device.userId === null).map(({ device }) => device);
    const owners = await this.imports.findOwners(
      executor,
      appId,
      guests.map(({ registration }) => registration),
    );
    const ownerOf = new Map(guests.map((device, place) => [device, owners.get(place) ?? guestOf(device)]));
    const userOf = (device: ImportedDevice): string => device.userId ?? ownerOf.get(device) ?? guestOf(device);
    const users = mergeUsers(read.map(({ device }) => ({ userId: userOf(device), device })));
    const { changed, refused } = await this.imports.importUsers(executor, appId, users, { now, mostTags: MOST_TAGS });
    const errors = read.flatMap(({ line, device }): LineError[] => {
      const message = refused.get(userOf(device));
      return message === undefined ? [] : [{ line, message }];
    });
    const named = mergeDevices(
      read.filter(({ device }) => !refused.has(userOf(device))),
      userOf,
    );
    const devices = named.map(({ device }) => device);
    const outcomes = await this.imports.importDevices(executor, appId, devices, now);
    for (const { device, lines } of named) {
      const outcome = outcomes.get(device.installationId) ?? 'created';
      const isUserNews = changed.has(device.userId) && outcome === 'unchanged';
      const counted = isUserNews ? 'updated' : outcome;
      counts[counted] += 1;
      // A line that a later one replaced made the device, and the later one changed it.
      counts[counted === 'created' ? 'updated' : counted] += lines.length - 1;
    }
    return { counts, errors };
  }
}

/** The user of a device that nobody's name is known of: the same one whenever the token is imported. */
function guestOf({ registration: { pushType, token } }: ImportedDevice): string {
  const digest = createHash('sha256').update(`${pushType} ${token}`).digest('hex');
  return `guest-${digest.slice(0, 32)}`;
}

/** What all records together say of each user, in the order of the ids. What an earlier one says of a tag or attribute stays. */
function mergeUsers(named: readonly { userId: string; device: ImportedDevice }[]): ImportedUser[] {
  const users = new Map<string, ImportedUser & { known: Set<string> }>();
  for (const { userId, device } of named) {
    const user = users.get(userId);
    if (user === undefined) {
      const { tags, tagValues, attributes, at } = device;
      users.set(userId, {
        userId,
        tags: [...tags],
        tagValues: { ...tagValues },
        attributes: { ...attributes },
        at,
        known: new Set(tags),
      });
      continue;
    }
    for (const tag of device.tags) {
      if (user.known.has(tag)) continue;
      user.known.add(tag);
      user.tags.push(tag);
      const value = device.tagValues[tag];
      if (value !== undefined) user.tagValues[tag] = value;
    }
    user.attributes = { ...device.attributes, ...user.attributes };
    if (device.at !== null && (user.at === null || device.at > user.at)) user.at = device.at;
  }
  return [...users.values()]
    .sort((one, other) => (one.userId < other.userId ? -1 : 1))
    .map(({ userId, tags, tagValues, attributes, at }) => ({ userId, tags, tagValues, attributes, at }));
}

/** Each vendor token once, as the last line with it says. */
function mergeDevices(
  read: readonly { line: number; device: ImportedDevice }[],
  userOf: (device: ImportedDevice) => string,
): NamedDevice[] {
  const named = new Map<string, NamedDevice>();
  for (const { line, device } of read) {
    const key = keyOf(device);
    const before = named.get(key);
    before?.lines.push(line);
    named.set(key, { device: toImport(device, userOf(device)), lines: before?.lines ?? [line] });
  }
  return [...named.values()];
}

/** What tells vendor tokens apart: of a browser, the endpoint. */
function keyOf({ registration: { pushType, token } }: ImportedDevice): string {
  if (pushType !== 'webpush') return `${pushType} ${token}`;
  return `${pushType} ${(JSON.parse(token) as { endpoint: string }).endpoint}`;
}

function toImport({ userId: named, registration, at }: ImportedDevice, userId: string): DeviceToImport {
  const isGuest = named === null;
  const further: JsonObject = isGuest ? { isGuest, ...registration.registration } : registration.registration;
  return {
    installationId: newId(),
    userId,
    isGuest,
    pushType: registration.pushType,
    token: registration.token,
    tokenStatus: registration.tokenStatus,
    deviceType: registration.deviceType,
    osVersion: registration.osVersion,
    osVersionKey: registration.osVersionKey,
    clientVersion: registration.clientVersion,
    clientVersionKey: registration.clientVersionKey,
    launchCount: registration.launchCount,
    launchTime: registration.launchTime,
    installDate: registration.installDate,
    channels: registration.channels,
    registration: further,
    timeZone: registration.timeZone,
    locale: registration.locale,
    latitude: registration.latitude,
    longitude: registration.longitude,
    at,
  };
}
