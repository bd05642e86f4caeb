import { Client } from 'pg';
import { seedApplication } from '@postrider/tools/seed/seed-application';
import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';
import { LOOK_EVERY_MS, type MessageStatus, untilDone } from './message-status';
import type { Postrider } from './postrider';

/** Gives an application so many devices that all have a usable FCM token. */
export async function seedReachable(databaseUrl: string, appId: string, devices: number): Promise<void> {
  await seedApplication(databaseUrl, { appId, devices, mix: { fcm: 1 }, reachable: true, withoutVacuum: true });
}

/** A campaign to devices that all have a usable FCM token. */
export class Campaign {
  private constructor(
    readonly appId: string,
    readonly server: Api,
    readonly id: string,
  ) {}

  /** Makes an application of so many devices. */
  static async prepare(postrider: Postrider, appId: string, devices: number): Promise<Api> {
    const { server } = await postrider.createApplication(appId);
    await seedReachable(postrider.database.url, appId, devices);
    return server;
  }

  /** Sends to all devices of an application. @param fields of the message, beside what every one has */
  static async start(appId: string, server: Api, fields: object = {}): Promise<Campaign> {
    const { headers } = await server.call<{ count: number }>('POST', '/api/push/byQuery', {
      target: { deviceType: 'android' },
      content: 'Still here',
      useAsAlert: true,
      ...fields,
    });
    return new Campaign(appId, server, headers.get('x-message-id') ?? '');
  }

  /** Waits until the last delivery is recorded. */
  untilDone(): Promise<MessageStatus> {
    return untilDone(this.server, 'campaigns', this.id);
  }

  /** Waits until `holds` is true of the campaign's state. */
  until(holds: (status: MessageStatus) => boolean): Promise<MessageStatus> {
    return until(async () => {
      const status = await this.server.find<MessageStatus>(`/api/push/campaigns/${this.id}`);
      return status !== null && holds(status) ? status : null;
    }, LOOK_EVERY_MS);
  }

  /**
   * Cancels it.
   * @returns how many devices were on pages that a worker had begun by then: no further device is sent to
   */
  async cancel(databaseUrl: string): Promise<number> {
    await this.server.call('POST', `/api/push/messages/${this.id}/cancel`);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    // The lock waits for claims that began before and are not committed yet.
    await client.query('BEGIN');
    await client.query('LOCK TABLE pages IN SHARE MODE');
    const { rows } = await client.query<{ begun: number }>(
      `SELECT coalesce(sum(cardinality(device_ids)), 0)::integer AS begun FROM pages
       WHERE message_id = $1 AND first_attempt_at IS NOT NULL`,
      [this.id],
    );
    await client.query('COMMIT');
    await client.end();
    return rows[0]?.begun ?? 0;
  }

  /** Waits until nothing of it is with a worker any more and each of its devices has a record. */
  async untilRecorded(devices: number, databaseUrl: string): Promise<MessageStatus> {
    await this.#untilReleased(databaseUrl);
    return this.until(
      ({ totals }) => totals.pending === 0 && Object.values(totals).reduce((sum, one) => sum + one, 0) === devices,
    );
  }

  /** A device on a page of a cancelled message counts as cancelled as long as its worker has not said what became of it. */
  async #untilReleased(databaseUrl: string): Promise<void> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const statement = `SELECT 1 FROM pages WHERE message_id = $1 AND state = 'running'`;
    await until(async () => (await client.query(statement, [this.id])).rowCount === 0);
    await client.end();
  }
}
