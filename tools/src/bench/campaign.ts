import type { JsonObject } from '@postrider/domain';
import { Client } from 'pg';
import { Api } from '../start/api';
import type { BenchSystem } from './bench-system';

/**
 * Sends a campaign by `byQuery` and waits until its last delivery is recorded.
 * @returns devices a second, from the REST call on
 * @throws if it did not reach exactly `devices` devices
 */
export async function runCampaign(bench: BenchSystem, campaign: JsonObject, devices: number): Promise<number> {
  const server = new Api(bench.system.gatewayUrl, bench.serverToken);
  const begun = performance.now();
  const { body, headers } = await server.call<{ count: number }>('POST', '/api/push/byQuery', campaign);
  if (body.count !== devices) throw new Error(`The campaign counts ${body.count} devices instead of ${devices}`);
  await untilDone(bench, headers.get('x-message-id') ?? '', devices);
  return devices / ((performance.now() - begun) / 1_000);
}

/** Planning over the days of the ledger at each call would be a tenth of the campaign's cost in PostgreSQL. */
const PLAN_ONCE = 'SET plan_cache_mode = force_generic_plan';
const IS_DONE = {
  name: 'is-done',
  text: `SELECT 1 FROM messages WHERE app_id = $1 AND id = $2 AND status = 'done'`,
};

/** Waits until the ledger says that it is over: `done` is written after the last delivery. */
async function untilDone(bench: BenchSystem, messageId: string, devices: number): Promise<void> {
  const client = new Client({ connectionString: bench.databases.databaseUrl });
  await client.connect();
  await client.query(PLAN_ONCE);
  try {
    for (;;) {
      const { rows } = await client.query({ ...IS_DONE, values: [bench.appId, messageId] });
      if (rows.length > 0) break;
      await new Promise((later) => setTimeout(later, 20));
    }
    const { rows } = await client.query<{ state: string; n: string }>(
      `SELECT state, sum(n) AS n FROM (
         SELECT state, 1 AS n FROM deliveries WHERE message_id = $1 AND is_packed IS NULL
         UNION ALL SELECT 'sent', count FROM delivery_packs WHERE message_id = $1
       ) deliveries GROUP BY state`,
      [messageId],
    );
    const sent = Number(rows.find(({ state }) => state === 'sent')?.n ?? 0);
    if (sent === devices) return;
    const others = await client.query(
      `SELECT d.state, d.error_code, d.reason, d.attempt, d.updated_at, left(i.token, 12) AS token
       FROM deliveries d LEFT JOIN installations i ON i.app_id = d.app_id AND i.id = d.device_id
       WHERE d.message_id = $1 AND d.is_packed IS NULL AND d.state <> 'sent' LIMIT 5`,
      [messageId],
    );
    throw new Error(
      `Recorded ${JSON.stringify(rows)} instead of ${devices} sent; such as ${JSON.stringify(others.rows)}`,
    );
  } finally {
    await client.end();
  }
}
