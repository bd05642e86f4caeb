import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { parameter, sql } from '../sql';
import { findUnknownUsersStatement, recallContactsStatement } from './recall-contacts.statement';
import {
  type CapTest,
  type Contacts,
  keptSince,
  recordContactsStatement,
  tidyContactsStatement,
} from './record-contacts.statement';

/**
 * Which counted messages were lately sent to a user, for the frequency caps of applications. An entry is written before the vendor is
 * asked, and stays when a worker dies: who works the page again writes the same. Entries of deliveries that failed are taken out
 * when they would keep something else back.
 */
@Injectable()
export class ContactsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Counts a message for the users of its devices, but not for those who have had enough. Exact among any number of callers.
   *
   * @returns the devices whose users may not have the message
   */
  async record(contacts: Contacts): Promise<Set<DeviceId>> {
    if (contacts.devices.length === 0) return new Set();
    if (contacts.since > keptSince(contacts)) await this.#recall(contacts);
    const doubtful = await this.#record(contacts, 'quick');
    if (doubtful.size === 0) return doubtful;
    const again = { ...contacts, devices: contacts.devices.filter(({ id }) => doubtful.has(id)) };
    await preparedRows(this.database, tidyContactsStatement(again));
    return this.#record(again, 'exact');
  }

  /**
   * Whether some page of the application is still in hand that was claimed before its campaigns were counted: until it has ended,
   * nobody knows what was sent.
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

  /** Forgets up to `limit` users to whom nothing was sent since `before`. @returns how many */
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
