import type { DeviceId } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import { type AudienceSelection, compileMembership } from '../selection/audience-selection';

/** One device of a group, as an export lists it. */
export interface ExportedDevice {
  /** Its number in the ledger. An export continues behind it. */
  deviceId: DeviceId;
  installationId: string;
  userId: string;
  deviceType: string | null;
  clientVersion: string | null;
  osVersion: string | null;
  launchTime: Date;
  tags: string[];
  tagValues: Record<string, string>;
}

/** A range of an application's installations. */
interface ExportStretch {
  /** The number behind which it begins. */
  from: string;
  /** The most numbers in it. */
  size: number;
  /** The most devices that are taken from it. */
  limit: number;
}

/** The devices of a range, and the beginning of the next one. */
interface ExportSlice {
  devices: ExportedDevice[];
  through: string;
  isLast: boolean;
}

/**
 * Reads one range of a group, by number. A range is limited, so that every statement is short whether the rules choose
 * everybody or one in a million. Nothing is held between two statements.
 */
export async function exportSlice(
  executor: Executor,
  selection: AudienceSelection,
  { from, size, limit }: ExportStretch,
): Promise<ExportSlice> {
  const app = parameter(selection.appId);
  const [stretch] = await rows<{ end: string | null }>(
    executor,
    sql`SELECT max(id) AS end FROM (
       SELECT id FROM installations WHERE app_id = ${app} AND id > ${from}::bigint ORDER BY id LIMIT ${size}
     ) stretch`,
  );
  const end = stretch?.end ?? null;
  if (end === null) return { devices: [], through: from, isLast: true };
  const membership = compileMembership(selection, app, 'each');
  const devices = await rows<ExportedDevice>(
    executor,
    sql`SELECT i.id AS "deviceId", i.installation_id AS "installationId", i.user_id AS "userId",
       i.device_type AS "deviceType", i.client_version AS "clientVersion", i.os_version AS "osVersion",
       i.launch_time AS "launchTime", i.tags, i.tag_values AS "tagValues"
     FROM installations i ${membership.join}
     WHERE i.id > ${from}::bigint AND i.id <= ${end}::bigint AND ${membership.condition}
     ORDER BY i.id LIMIT ${limit}`,
  );
  const last = devices.at(-1);
  const isCut = devices.length === limit && last !== undefined;
  return { devices, through: isCut ? last.deviceId : end, isLast: false };
}
