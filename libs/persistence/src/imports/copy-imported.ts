import { userProof } from '../devices/user-proof';
import { BinaryRows } from '../database/binary-rows';
import { copyRows } from '../database/copy-rows';
import type { Executor } from '../database/executor';
import type { UserTags } from '../tags/tags-of-many-users';
import type { DeviceToImport } from './imported-devices.statement';
import type { WrittenUser } from './imported-users.statement';

const USER_COLUMNS =
  'app_id, created_at, updated_at, imported_at, imported_file, user_id, imported_line, tags, tag_values, attributes';
const DEVICE_COLUMNS = [
  ...['app_id', 'user_since', 'created_at', 'updated_at', 'user_proof', 'imported_file'],
  ...['tags', 'tag_values'],
  ...[
    'installation_id',
    'imported_line',
    'user_id',
    'device_type',
    'push_type',
    'token',
    'token_status',
    'token_registered_at',
  ],
  ...['imported_at', 'os_version', 'os_version_key', 'client_version', 'client_version_key', 'launch_count'],
  ...['launch_time', 'install_date', 'channels', 'registration', 'time_zone', 'locale', 'latitude', 'longitude'],
].join(', ');
const USER_CELLS = USER_COLUMNS.split(', ').length;
const DEVICE_CELLS = DEVICE_COLUMNS.split(', ').length;
const CELLS_BYTES = 512;
/** The registration time of a token if the file has none: long ago, so that the token may have died by itself since. */
const LONG_AGO = new Date(0);

/**
 * Copies new users, with the same values as `holdOrMakeUsers`.
 * @throws an error with the code 23505 (see `uniqueViolation`) if one of them exists; then nothing is written
 */
export async function copyUsers(
  executor: Executor,
  { appId, now, file }: { appId: string; now: Date; file: number | null },
  users: readonly Omit<WrittenUser, 'base'>[],
): Promise<void> {
  const beginning = cells((row) => {
    row.begin(USER_CELLS);
    row.text(appId);
    for (let times = 0; times < 3; times++) row.timestamptz(now);
    row.bigint(file);
  });
  await copyRows(executor, ['users', USER_COLUMNS], users, (row, { userId, line, tags, tagValues, attributes }) => {
    row.raw(beginning);
    row.text(userId);
    row.bigint(line);
    row.texts(tags);
    row.json(tagValues);
    row.json(attributes);
  });
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
  {
    appId,
    now,
    file,
    owners,
  }: { appId: string; now: Date; file: number | null; owners: ReadonlyMap<string, UserTags> },
  devices: readonly DeviceToImport[],
): Promise<void> {
  const beginning = cells((row) => {
    row.begin(DEVICE_CELLS);
    row.text(appId);
    for (let times = 0; times < 3; times++) row.timestamptz(now);
    row.smallint(userProof(true));
    row.bigint(file);
  });
  await copyRows(executor, ['installations', DEVICE_COLUMNS], inOrderOfTokens(devices), (row, device) => {
    row.raw(beginning);
    const owner = owners.get(device.userId);
    row.texts(owner?.tags ?? []);
    row.json(owner?.tagValues ?? {});
    writeDevice(row, device, now);
  });
}

/**
 * Returns devices in the order in which `importDevicesStatement` makes them too. Two transactions with the same tokens wait
 * for each other at the first of them, and neither has one that the other waits for.
 */
function inOrderOfTokens(devices: readonly DeviceToImport[]): DeviceToImport[] {
  const keyed = devices.map((device) => {
    const { pushType, token } = device;
    return { device, pushType, key: pushType === 'apns' ? token.toLowerCase() : token };
  });
  keyed.sort((one, other) => orderOf(one.pushType, other.pushType) || orderOf(one.key, other.key));
  return keyed.map(({ device }) => device);
}

function orderOf(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The cells that `write` writes, as `BinaryRows.raw` takes them. */
function cells(write: (row: BinaryRows) => void): Buffer {
  const rows = new BinaryRows(CELLS_BYTES);
  write(rows);
  return rows.take();
}

function writeDevice(row: BinaryRows, device: DeviceToImport, now: Date): void {
  const saidAt = device.at ?? LONG_AGO;
  const installed = device.installDate ?? now;
  row.uuid(device.installationId);
  row.bigint(device.line);
  row.text(device.userId);
  row.text(device.deviceType);
  row.text(device.pushType);
  row.text(device.token);
  row.text(device.tokenStatus);
  row.timestamptz(saidAt);
  row.timestamptz(saidAt);
  row.text(device.osVersion);
  row.text(device.osVersionKey);
  row.text(device.clientVersion);
  row.text(device.clientVersionKey);
  row.bigint(device.launchCount ?? 1);
  row.timestamptz(device.launchTime ?? device.firstLaunch ?? installed);
  row.timestamptz(installed);
  row.texts(device.channels ?? []);
  row.json(device.registration);
  row.text(device.timeZone);
  row.text(device.locale);
  row.float8(device.latitude);
  row.float8(device.longitude);
}
