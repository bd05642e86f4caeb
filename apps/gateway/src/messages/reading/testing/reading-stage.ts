import type { DeviceId } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../../testing/test-gateway';

const HOUR = 3_600_000;

/** A gateway with an application `shop` at FCM, whose user ada has six devices, and messages as workers leave them. */
export class ReadingStage {
  readonly installations: { id: string; installationId: string }[] = [];

  private constructor(
    readonly gateway: TestGateway,
    /** A token of the application. */
    readonly server: string,
    /** A token of another application. */
    readonly stranger: string,
  ) {}

  static async start(): Promise<ReadingStage> {
    const gateway = await startTestGateway();
    const tokens = [await gateway.application('shop'), await gateway.application('other')] as const;
    const stage = new ReadingStage(gateway, ...tokens);
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (let n = 0; n < 6; n++) stage.installations.push(await stage.#register(n));
    return stage;
  }

  close(): Promise<void> {
    return this.gateway.close();
  }

  call(method: string, path: string, body?: unknown, token = this.server): Promise<TestAnswer> {
    return this.gateway.request(method, `/api/push/${path}`, { body, headers: { 'x-access-token': token } });
  }

  device(n: number): string {
    return this.installations[n]?.id ?? '';
  }

  /** Writes a message as its acceptance leaves it. */
  async accept(changes: Record<string, unknown> = {}): Promise<string> {
    const id = newId();
    const row: Record<string, unknown> = {
      app_id: 'shop',
      id,
      kind: 'users',
      is_campaign: false,
      lane: 'transactional',
      audience: '{}',
      user_ids: ['ada'],
      channel: 'public/default',
      content: '{"content":"hello"}',
      count: 3,
      recipients: 3,
      resolve_ceiling: 0,
      resolved_at: new Date(),
      accepted_at: new Date(),
      expires_at: new Date(Date.now() + HOUR),
      wake_at: changes.status === undefined ? new Date() : null,
      ...changes,
    };
    const names = Object.keys(row);
    await rows(
      this.gateway.database,
      `INSERT INTO messages (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
    return id;
  }

  /** Writes a page of a message. */
  page(messageId: string, deviceIds: DeviceId[], changes: { state?: string; fence?: number } = {}): Promise<unknown> {
    return rows(
      this.gateway.database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ('shop', $1, $2, 'fcm', 'transactional', $3, $4, $5)`,
      [messageId, newId(), deviceIds, changes.state ?? 'waiting', changes.fence ?? 0],
    );
  }

  /** Writes the delivery of a message to a device. */
  record(messageId: string, deviceId: DeviceId, state: string, more: Record<string, unknown> = {}): Promise<unknown> {
    return rows(
      this.gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason, attempt)
       VALUES ('shop', $1, $2, $3, $4, $5, $6, $7, $8, 1)`,
      [
        messageId,
        deviceId,
        state,
        state === 'pending' ? 0 : 1,
        more.vendor === undefined ? 'fcm' : more.vendor,
        more.vendorMessageId ?? null,
        more.errorCode ?? null,
        more.reason ?? null,
      ],
    );
  }

  async #register(n: number): Promise<{ id: string; installationId: string }> {
    const answer = await this.gateway.request('POST', '/api/installations', {
      body: { userId: 'ada', deviceType: 'android', deviceToken: `t-${n}` },
      headers: { 'x-access-token': this.server },
    });
    const { id: installationId } = answer.body as { id: string };
    const [row] = await rows<{ id: string }>(
      this.gateway.database,
      `SELECT id FROM installations WHERE installation_id = $1`,
      [installationId],
    );
    return { id: row?.id ?? '', installationId };
  }
}
