import { userProof } from '../devices/user-proof';
import { copyCell, copyLine, copyText } from '../database/copy-text';
import type { Executor } from '../database/executor';
import type { UserTags } from '../tags/tags-of-many-users';
import type { DeviceToImport } from './imported-devices.statement';
import type { WrittenUser } from './imported-users.statement';

const USER_COLUMNS = 'app_id, created_at, updated_at, imported_at, user_id, tags, tag_values, attributes';
const DEVICE_COLUMNS = [
  ...['app_id', 'user_since', 'created_at', 'updated_at', 'user_proof'],
  ...['tags', 'tag_values'],
  ...['installation_id', 'user_id', 'device_type', 'push_type', 'token', 'token_status', 'token_registered_at'],
  ...['imported_at', 'os_version', 'os_version_key', 'client_version', 'client_version_key', 'launch_count'],
  ...['launch_time', 'install_date', 'channels', 'registration', 'time_zone', 'locale', 'latitude', 'longitude'],
].join(', ');
/** The registration time of a token if the file has none: long ago, so that the token may have died by itself since. */
const LONG_AGO = new Date(0);

/**
 * Copies new users, with the same values as `holdOrMakeUsers`.
 * @throws an error with the code 23505 (see `uniqueViolation`) if one of them exists; then nothing is written
 */
export async function copyUsers(
  executor: Executor,
  { appId, now }: { appId: string; now: Date },
  users: readonly Omit<WrittenUser, 'base'>[],
): Promise<void> {
  const beginning = copyLine([appId, now, now, now]);
  const lineOfUser = ({ userId, tags, tagValues, attributes }: (typeof users)[number]): string =>
    `${beginning}\t${copyLine([userId, tags, tagValues, attributes])}`;
  await copyText(executor, ['users', USER_COLUMNS], each(users, lineOfUser));
}

/**
 * Copies new devices, with the same values as `importDevicesStatement`. A copied row costs PostgreSQL six tenths of a
 * row that a statement reads from JSON, looks for and joins with its owner.
 * @param owners the tags of the users of the devices; the users are locked
 * @throws an error with the code 23505 (see `uniqueViolation`) if a device has one of the tokens; then nothing is
 *   written
 */
export async function copyDevices(
  executor: Executor,
  { appId, now, owners }: { appId: string; now: Date; owners: ReadonlyMap<string, UserTags> },
  devices: readonly DeviceToImport[],
): Promise<void> {
  const time = now.toISOString();
  const beginning = copyLine([appId, time, time, time, userProof(true)]);
  const tagsOf = tagCells(owners);
  const lineOfDevice = (device: DeviceToImport): string =>
    `${beginning}\t${tagsOf(device.userId)}\t${lineOf(device, time)}`;
  await copyText(executor, ['installations', DEVICE_COLUMNS], each(devices, lineOfDevice));
}

/** Makes a line of each value when it is asked for. */
function* each<T>(values: readonly T[], lineOfValue: (value: T) => string): Generator<string, void> {
  for (const value of values) yield lineOfValue(value);
}

/** The times of a device as text. Most often the time of the line is one of the other two, and is not written twice. */
function timesOf({ at, launchTime, installDate }: DeviceToImport): {
  saidAt: string | Date;
  launched: string | null;
  installed: string | null;
} {
  const installed = installDate?.toISOString() ?? null;
  const launched = launchTime?.toISOString() ?? null;
  if (at === null) return { saidAt: LONG_AGO, launched, installed };
  const same = at === launchTime ? launched : at === installDate ? installed : null;
  return { saidAt: same ?? at, launched, installed };
}

function lineOf(device: DeviceToImport, now: string): string {
  const { saidAt, launched, installed } = timesOf(device);
  return copyLine([
    device.installationId,
    device.userId,
    device.deviceType,
    device.pushType,
    device.token,
    device.tokenStatus,
    saidAt,
    saidAt,
    device.osVersion,
    device.osVersionKey,
    device.clientVersion,
    device.clientVersionKey,
    device.launchCount ?? 1,
    launched ?? device.firstLaunch ?? installed ?? now,
    installed ?? now,
    device.channels ?? [],
    device.registration,
    device.timeZone,
    device.locale,
    device.latitude,
    device.longitude,
  ]);
}

/** @returns a function for the cells of a user's tags, which are the same for all devices of the user */
function tagCells(owners: ReadonlyMap<string, UserTags>): (userId: string) => string {
  const cells = new Map<UserTags | undefined, string>();
  return (userId) => {
    const owner = owners.get(userId);
    let known = cells.get(owner);
    if (known === undefined) {
      known = `${copyCell(owner?.tags ?? [])}\t${copyCell(owner?.tagValues ?? {})}`;
      cells.set(owner, known);
    }
    return known;
  };
}
