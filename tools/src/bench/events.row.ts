import { Client } from 'pg';
import { atLeast, type BenchRow, median } from './bench-row';
import { startBenchSystem } from './bench-system';
import { loadHttp } from './http-load';
import { ProcessTime, sayTimes } from './process-time';

const EVENTS_A_REQUEST = 1_000;
const CONNECTIONS = 2;
const SECONDS = 10;
const ROUNDS = 3;
const USERS = 50_000;
const GOAL_A_SECOND = 10_000;
const NAMES = ['visit', 'level', 'cart', 'search', 'share'];

/** How many events of a backend are recorded in a second. */
export const eventsRow: BenchRow = {
  name: 'events',
  about: `events in arrays of ${EVENTS_A_REQUEST.toLocaleString('en')} (trackBulk) of ${USERS.toLocaleString('en')} users, recorded before the answer, beside ${GOAL_A_SECOND.toLocaleString('en')} a second`,
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    const client = new Client({ connectionString: bench.databases.databaseUrl });
    try {
      await client.connect();
      const path = `/api/installations/trackBulk?access_token=${bench.serverToken}`;
      const time = await ProcessTime.of(bench);
      const speeds: number[] = [];
      let sent = 0;
      const next = (): { path: string; body: string } => ({ path, body: JSON.stringify(eventsFrom(sent++)) });
      for (let round = 1; round <= ROUNDS; round++) {
        const [before, sentBefore] = [time.read(), sent];
        const speed = EVENTS_A_REQUEST * (await loadHttp(bench.system.gatewayUrl, CONNECTIONS, SECONDS, next));
        const events = (sent - sentBefore) * EVENTS_A_REQUEST;
        progress(`round ${round}: ${Math.round(speed)} events/s; ${sayTimes(before, time.read(), events)} an event`);
        speeds.push(speed);
      }
      await expectRecorded(client, sent * EVENTS_A_REQUEST);
      return atLeast(1, 'events', 'events/s', median(speeds), GOAL_A_SECOND);
    } finally {
      await client.end();
      await bench.stop();
    }
  },
};

function eventsFrom(request: number): object[] {
  const eventTime = Date.now();
  return Array.from({ length: EVENTS_A_REQUEST }, (_event, n) => {
    const at = request * EVENTS_A_REQUEST + n;
    // Successive events of an array are of different users, and each user comes back with another event.
    const userId = `user-${(at * 7_919) % USERS}`;
    const eventName = NAMES[(at + Math.floor(at / USERS)) % NAMES.length];
    return { userId, eventName, eventTime, eventData: { value: at % 10, page: 'home' } };
  });
}

/** @throws if not every answered event counts in the attributes of its user */
async function expectRecorded(client: Client, events: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT coalesce(sum(value::bigint), 0)::text AS count FROM users, jsonb_each_text(attributes)
     WHERE key = ANY ($1)`,
    [NAMES.map((name) => `${name}.count`)],
  );
  if (Number(rows[0]?.count) !== events) throw new Error(`${rows[0]?.count} of ${events} events are recorded`);
}
