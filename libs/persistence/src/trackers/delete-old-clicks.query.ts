import { type Executor, rows } from '../database/executor';

/** Deletes up to `limit` deferred links that nobody took in time. @returns how many went */
export function deleteExpiredLinks(executor: Executor, before: Date, limit: number): Promise<number> {
  return deleteSome(executor, DELETE_LINKS, before, limit);
}

/** Deletes up to `limit` of the digests by which visitors of a day before `before` were told apart. @returns how many went */
export function deleteOldVisitors(executor: Executor, before: Date, limit: number): Promise<number> {
  return deleteSome(executor, DELETE_VISITORS, before, limit);
}

/** Deletes up to `limit` records of links that installations took before `before`. @returns how many went */
export function deleteOldHandovers(executor: Executor, before: Date, limit: number): Promise<number> {
  return deleteSome(executor, DELETE_HANDOVERS, before, limit);
}

/** Deletes up to `limit` reports of opened links from before `before`. @returns how many went */
export function deleteOldLinkOpens(executor: Executor, before: Date, limit: number): Promise<number> {
  return deleteSome(executor, DELETE_LINK_OPENS, before, limit);
}

async function deleteSome(executor: Executor, statement: string, before: Date, limit: number): Promise<number> {
  return (await rows(executor, statement, [before, limit])).length;
}

const DELETE_LINKS = `
  DELETE FROM deferred_links WHERE (app_id, token_key) IN (
    SELECT app_id, token_key FROM deferred_links WHERE expires_at <= $1 LIMIT $2
  ) RETURNING 1`;
const DELETE_VISITORS = `
  DELETE FROM tracker_visitors WHERE (app_id, tracker_id, day, visitor) IN (
    SELECT app_id, tracker_id, day, visitor FROM tracker_visitors WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT $2
  ) RETURNING 1`;
const DELETE_HANDOVERS = `
  DELETE FROM deferred_handovers WHERE (app_id, device_id) IN (
    SELECT app_id, device_id FROM deferred_handovers WHERE handed_at < $1 LIMIT $2
  ) RETURNING 1`;
const DELETE_LINK_OPENS = `
  DELETE FROM link_opens WHERE (app_id, id) IN (
    SELECT app_id, id FROM link_opens WHERE created_at < $1 LIMIT $2
  ) RETURNING 1`;
