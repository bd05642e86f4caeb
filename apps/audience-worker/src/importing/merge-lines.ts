import { createHash } from 'node:crypto';
import type { ImportedDevice } from '@postrider/contracts';
import { groupBy, type JsonObject, tokenIdentity } from '@postrider/domain';
import type { DeviceToImport, ImportedUser, TokenHolder } from '@postrider/persistence';
import { newId } from '@postrider/platform';

/** A line of a file that names a device. */
export interface DeviceLine {
  line: number;
  device: ImportedDevice;
}

/** A device, and the number of lines that name it. */
interface MergedDevice {
  device: DeviceToImport;
  lines: number;
}

/** Lines of a file by the vendor token that they name, each in the order of the file. */
export type LinesByToken = ReadonlyMap<string, readonly DeviceLine[]>;

/** Groups lines by the vendor token that they name. */
export function groupByToken(read: readonly DeviceLine[]): LinesByToken {
  return groupBy(read, ({ device }) => tokenIdentity(device.registration));
}

/**
 * True if the result of merging these lines depends on the device that has their token now: there are several lines, or
 * the only one names no user.
 */
export function dependsOnHolder(lines: readonly DeviceLine[]): boolean {
  return lines.length > 1 || lines[0]?.device.userId === null;
}

/** The lines of a vendor token, and the user of each. */
export interface OwnedLines {
  lines: readonly DeviceLine[];
  /** The device that has the token now. It may not be looked up unless `dependsOnHolder`. */
  holder: TokenHolder | undefined;
  /** The user of each line. */
  userIds: readonly string[];
}

/**
 * Finds the user of each line. A line that names no user belongs to the owner that the device has by then, or to a
 * guest.
 */
export function ownLines(lines: readonly DeviceLine[], holder: TokenHolder | undefined): OwnedLines {
  let owner = holder?.userId;
  const userIds = lines.map(({ line, device }) => {
    const userId = device.userId ?? owner ?? guestOf(device);
    if (!isDone(line, holder) && isNewer(device, holder)) owner = userId;
    return userId;
  });
  return { lines, holder, userIds };
}

/**
 * Merges the lines of a stretch into changes of devices and of users. The result is the same as if each line were a
 * stretch of its own, so it makes no difference where a file is divided. A line changes only the values that it has. It
 * does not change a device that its app has registered, unless the time of the line is later than the registration, nor
 * one that this line or a later one of the same file has written: the same file again changes nothing.
 * @param now the launch time of a device whose first line has neither a launch time nor an install date
 */
export function mergeLines(
  owned: readonly OwnedLines[],
  now: Date,
): { devices: MergedDevice[]; users: ImportedUser[] } {
  const devices = owned.map((one) => ({ device: mergeDevice(one, now), lines: one.lines.length }));
  return { devices, users: usersOf(owned) };
}

function mergeDevice({ lines, holder, userIds }: OwnedLines, now: Date): DeviceToImport {
  let merged: DeviceToImport | null = null;
  let last: DeviceToImport | null = null;
  for (const [at, line] of lines.entries()) {
    last = toImport(line, userIds[at] as string);
    if (isDone(line.line, holder) || !isNewer(line.device, holder)) continue;
    merged = merged === null ? last : withLater(merged, last, now);
  }
  // No line is newer than the registration: the statement will not change the device.
  return merged ?? (last as DeviceToImport);
}

/** True if this line, or a later one of the same file, has written the device already. */
function isDone(line: number, holder: TokenHolder | undefined): boolean {
  const writtenTo = holder?.writtenTo ?? null;
  return writtenTo !== null && line <= writtenTo;
}

function isNewer({ at }: ImportedDevice, holder: TokenHolder | undefined): boolean {
  if (holder === undefined || holder.isImported) return true;
  return at !== null && holder.registeredAt !== null && at > holder.registeredAt;
}

/** The fields that a later line changes only if it has a value for them. */
const SAID = [
  ...['deviceType', 'osVersion', 'osVersionKey', 'clientVersion', 'clientVersionKey', 'launchCount', 'launchTime'],
  ...['installDate', 'timeZone', 'locale', 'latitude', 'longitude'],
] as readonly (keyof DeviceToImport)[];

/** Returns a device after two lines: the later one changes the values that it has. */
function withLater(before: DeviceToImport, later: DeviceToImport, now: Date): DeviceToImport {
  const changesHands = before.userId !== later.userId;
  return {
    ...before,
    line: later.line,
    ...Object.fromEntries(SAID.map((name) => [name, later[name] ?? before[name]])),
    userId: later.userId,
    isGuest: before.isGuest && later.isGuest,
    token: later.token,
    tokenStatus: later.tokenStatus,
    channels: changesHands ? (later.channels ?? []) : both(before.channels, later.channels),
    registration: { ...(changesHands ? withoutGuestMark(before) : before.registration), ...later.registration },
    at: later.at,
    firstLaunch: before.firstLaunch ?? before.launchTime ?? before.installDate ?? now,
    startsAnew: before.startsAnew === true || changesHands,
  };
}

/** Returns the further fields of a device without the mark of a guest, who no longer has it. */
function withoutGuestMark({ registration }: DeviceToImport): JsonObject {
  const others = { ...registration };
  delete others.isGuest;
  return others;
}

function both<T>(before: T[] | null, later: T[] | null): T[] | null {
  return before === null || later === null ? (later ?? before) : [...new Set([...before, ...later])].sort();
}

/** Returns the facts of each user in the order of the file; the users are in the order of their ids. */
function usersOf(owned: readonly OwnedLines[]): ImportedUser[] {
  const users = new Map<string, ImportedUser>();
  for (const { lines, holder, userIds } of owned) {
    for (const [place, { line, device }] of lines.entries()) {
      // Its user was whoever had the device then.
      if (device.userId === null && isDone(line, holder)) continue;
      const { tags, tagValues, attributes, at } = device;
      const userId = userIds[place] as string;
      const facts = { line, tags, tagValues, attributes, at };
      const user = users.get(userId);
      if (user === undefined) users.set(userId, { userId, lines: [facts] });
      else user.lines.push(facts);
    }
  }
  for (const { lines } of users.values()) lines.sort((one, other) => one.line - other.line);
  return [...users.values()].sort((one, other) => (one.userId < other.userId ? -1 : 1));
}

/** Returns the user id of a guest, for a device without a user: the same one each time the token is imported. */
function guestOf({ registration: { pushType, token } }: Pick<ImportedDevice, 'registration'>): string {
  const digest = createHash('sha256').update(`${pushType} ${token}`).digest('hex');
  return `guest-${digest.slice(0, 32)}`;
}

function toImport({ line, device }: DeviceLine, userId: string): DeviceToImport {
  const { userId: named, registration, at } = device;
  const isGuest = named === null;
  // A line that names no user may be about the device of one.
  const isOfGuest = isGuest && userId === guestOf({ registration });
  const further: JsonObject = isOfGuest ? { isGuest, ...registration.registration } : registration.registration;
  return {
    line,
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
