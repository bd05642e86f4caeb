import { type Executor, rows } from '../database/executor';

/** How many devices are present on an edge, as everybody else sees it. */
export async function countPresence(executor: Executor, edgeId: string): Promise<number> {
  const [counted] = await rows<{ devices: number }>(
    executor,
    `SELECT count(*)::integer AS devices FROM presence WHERE edge_id = $1`,
    [edgeId],
  );
  return counted?.devices ?? 0;
}

/** The devices that are present, by application and number: the edge that has each, and the epoch. */
export async function findPresence(
  executor: Executor,
  devices: readonly { appId: string; deviceId: string }[],
): Promise<{ appId: string; deviceId: string; edgeId: string; epoch: string }[]> {
  return rows(
    executor,
    `SELECT p.app_id AS "appId", p.id::text AS "deviceId", p.edge_id AS "edgeId", p.epoch::text AS epoch
     FROM unnest($1::text[], $2::bigint[]) AS asked (app_id, id)
     JOIN presence p ON p.app_id = asked.app_id AND p.id = asked.id`,
    [devices.map(({ appId }) => appId), devices.map(({ deviceId }) => deviceId)],
  );
}
