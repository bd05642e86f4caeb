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
/** No vendor and no device has said when the token was registered: long ago, so that it may have died by itself since. */
const LONG_AGO = new Date(0);

/**
 * Copies users who are new, as `holdOrMakeUsers` makes them.
 *
 * @throws an error with the code 23505 (see `uniqueViolation`) when one of them is known; nothing is written then
 */
export async function copyUsers(
  executor: Executor,
  { appId, now }: { appId: string; now: Date },
  users: readonly Omit<WrittenUser, 'base'>[],
): Promise<void> {
  const beginning = copyLine([appId, now, now, now]);
  let text = '';
  for (const { userId, tags, tagValues, attributes } of users) {
    text += `${beginning}\t${copyLine([userId, tags, tagValues, attributes])}\n`;
  }
  await copyText(executor, ['users', USER_COLUMNS], text);
}

/**
 * Copies devices that are new, as `importDevicesStatement` makes them: a copied row costs PostgreSQL six tenths of one that a
 * statement takes apart, looks for and joins with its owner.
 *
 * @param owners what the users of the devices carry, who are held
 * @throws an error with the code 23505 (see `uniqueViolation`) when one of the tokens is a device's already; nothing is written then
 */
export async function copyDevices(
  executor: Executor,
  { appId, now, owners }: { appId: string; now: Date; owners: ReadonlyMap<string, UserTags> },
  devices: readonly DeviceToImport[],
): Promise<void> {
  const time = now.toISOString();
  const beginning = copyLine([appId, time, time, time, userProof(true)]);
  const tagsOf = tagCells(owners);
  let text = '';
  for (const device of devices) text += `${beginning}\t${tagsOf(device.userId)}\t${lineOf(device, time)}\n`;
  await copyText(executor, ['installations', DEVICE_COLUMNS], text);
}

function lineOf(device: DeviceToImport, now: string): string {
  const saidAt = (device.at ?? LONG_AGO).toISOString();
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
    device.launchTime ?? device.firstLaunch ?? device.installDate ?? now,
    device.installDate ?? now,
    device.channels ?? [],
    device.registration,
    device.timeZone,
    device.locale,
    device.latitude,
    device.longitude,
  ]);
}

/** @returns the cells of a user's tags, which are the same for all devices of the user */
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
