import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { batchRows } from '../database/statement-batch';
import { parameter, sql } from '../sql';
import { findUnknownUsersStatement, recallContactsStatement } from './recall-contacts.statement';
import {
  type CapTest,
  type Contacts,
  keptSince,
  recordContactsStatement,
  lockContactsStatement,
  tidyContactsStatement,
} from './record-contacts.statement';

/**
 * Which counted messages a user got lately, for the frequency caps of applications. An entry is written before the
 * vendor is called, and stays if the worker dies: the worker that claims the page next writes the same entry. Entries
 * of failed deliveries are removed when they would otherwise hold back another message.
 */
@Injectable()
export class ContactsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Counts a message for the users of these devices, except for users who reached a cap. Exact under any number of
   * concurrent callers.
   *
   * @returns the devices whose users may not get the message
   */
  async record(contacts: Contacts): Promise<Set<DeviceId>> {
    if (contacts.devices.length === 0) return new Set();
    if (contacts.since > keptSince(contacts)) await this.#recall(contacts);
    const doubtful = await this.#record(contacts, 'quick');
    if (doubtful.size === 0) return doubtful;
    const again = { ...contacts, devices: contacts.devices.filter(({ id }) => doubtful.has(id)) };
    await batchRows(this.database, [lockContactsStatement(again), tidyContactsStatement(again)]);
    return this.#record(again, 'exact');
  }

  /**
   * True if a worker still has a page that was claimed before the application's campaigns were counted. Until that page
   * ends, nobody knows what was sent.
   */
  async isSettling(appId: string): Promise<boolean> {
    const app = parameter(appId);
    const found = await preparedRows(
      this.database,
      sql`SELECT 1 FROM pages WHERE app_id = ${app} AND state = 'running' AND edge_id IS NULL AND vendor <> 'connection'
            AND lane = 'campaign' AND NOT is_counted
          UNION ALL SELECT 1 FROM pages WHERE app_id = ${app} AND edge_id IS NOT NULL AND lane = 'campaign'
          LIMIT 1`,
    );
    return found.length > 0;
  }

  /** Deletes up to `limit` users who got nothing since `before`. @returns the number of deleted users */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const [moment, most] = [parameter(before, 'timestamptz'), parameter(limit)];
    const [deleted] = await rows<{ gone: number }>(
      this.database,
      sql`WITH gone AS (
            DELETE FROM user_contacts WHERE (app_id, user_id) IN (
              SELECT app_id, user_id FROM user_contacts WHERE coalesce(times[1], counted_since) < ${moment} LIMIT ${most}
            ) AND coalesce(times[1], counted_since) < ${moment} RETURNING 1
          ) SELECT count(*)::integer AS gone FROM gone`,
    );
    return deleted?.gone ?? 0;
  }

  async #record(contacts: Contacts, test: CapTest): Promise<Set<DeviceId>> {
    const refused = await preparedRows<{ id: DeviceId }>(this.database, recordContactsStatement(contacts, test));
    return new Set(refused.map(({ id }) => id));
  }

  async #recall(contacts: Contacts): Promise<void> {
    const unknown = await preparedRows<{ userId: string }>(this.database, findUnknownUsersStatement(contacts));
    if (unknown.length === 0) return;
    await preparedRows(
      this.database,
      recallContactsStatement(
        contacts,
        unknown.map(({ userId }) => userId),
      ),
    );
  }
}
