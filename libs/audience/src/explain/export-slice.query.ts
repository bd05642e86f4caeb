import { type Executor, rows } from '@postrider/persistence';
import type { AudienceSelection } from '../selection/audience-selection';
import { compileMembership } from '../selection/membership-sql';
import { SqlParameters } from '../sql/sql-parameters';

/** One device of a group, as an export lists it. */
export interface ExportedDevice {
  /** Its number in the ledger, by which an export goes on. */
  deviceId: string;
  installationId: string;
  userId: string;
  deviceType: string | null;
  clientVersion: string | null;
  osVersion: string | null;
  launchTime: Date;
  tags: string[];
  tagValues: Record<string, string>;
}

/** A stretch of an application's installations. */
export interface ExportStretch {
  /** The number behind which it begins. */
  from: string;
  /** How many numbers it holds at most. */
  size: number;
  /** How many devices are taken from it at most. */
  limit: number;
}

/** What a stretch holds, and where the next one begins. */
export interface ExportSlice {
  devices: ExportedDevice[];
  through: string;
  isLast: boolean;
}

/**
 * Reads one stretch of a group, by number. A stretch is bounded, so that every statement is short whether the rules choose
 * everybody or one in a million; nothing is held between two of them.
 */
export async function exportSlice(
  executor: Executor,
  selection: AudienceSelection,
  { from, size, limit }: ExportStretch,
): Promise<ExportSlice> {
  const [stretch] = await rows<{ end: string | null }>(
    executor,
    `SELECT max(id) AS end FROM (
       SELECT id FROM installations WHERE app_id = $1 AND id > $2::bigint ORDER BY id LIMIT $3
     ) stretch`,
    [selection.appId, from, size],
  );
  const end = stretch?.end ?? null;
  if (end === null) return { devices: [], through: from, isLast: true };
  const parameters = new SqlParameters([selection.appId, from, end, limit]);
  const membership = compileMembership(selection, '$1', parameters, 'each');
  const devices = await rows<ExportedDevice>(
    executor,
    `SELECT i.id AS "deviceId", i.installation_id AS "installationId", i.user_id AS "userId",
       i.device_type AS "deviceType", i.client_version AS "clientVersion", i.os_version AS "osVersion",
       i.launch_time AS "launchTime", i.tags, i.tag_values AS "tagValues"
     FROM installations i ${membership.join}
     WHERE i.id > $2::bigint AND i.id <= $3::bigint AND ${membership.condition}
     ORDER BY i.id LIMIT $4`,
    parameters.values,
  );
  const last = devices.at(-1);
  const isCut = devices.length === limit && last !== undefined;
  return { devices, through: isCut ? last.deviceId : end, isLast: false };
}
