import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../embedded/free-port';
import type { BenchSystem } from '../bench-system';
import { PEER_APP_ID, type PeerOrder } from '../yardsticks/parse-server';

const DATABASE = 'bench_peer';
const STUCK_MS = 120_000;

/** The settings of Parse Server. */
interface PeerSettings {
  devices: number;
  batchSize: number;
  poolSize: number;
  requestTimeoutMs: number;
}

/** A campaign that Parse Server has sent. */
interface PeerCampaign {
  /** Devices that APNs took, as Parse Server has recorded it. */
  sent: number;
  failed: number;
  /** Devices sent a second, from the REST call until the status of the push says that it is over. */
  rate: number;
}

/** A Parse Server with its devices, on a database of its own in the PostgreSQL that Postrider uses too. */
export class PeerServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: Client,
    private readonly admin: Client,
    private readonly order: PeerOrder,
  ) {}

  /** Starts it and writes its devices. @throws if it does not start; then nothing is left but its database */
  static async start(bench: BenchSystem, folder: string, settings: PeerSettings): Promise<PeerServer> {
    const admin = new Client({ connectionString: bench.databases.databaseUrl });
    await admin.connect();
    const url = new URL(bench.databases.databaseUrl);
    url.pathname = `/${DATABASE}`;
    const client = new Client({ connectionString: url.toString() });
    const order = await orderFor(bench, folder, url.toString(), settings);
    const env = { ...process.env, NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: bench.system.simulatorTls.ca };
    const script = join(__dirname, '..', 'yardsticks', 'parse-server.js');
    // Its adapter writes a line for each device that it gives up. It makes a folder for logs where it runs before it
    // reads its settings.
    const child = fork(script, { cwd: folder, env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const peer = new PeerServer(child, client, admin, order);
    try {
      await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${DATABASE}`);
      child.send(order);
      const [said] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
      if (said !== 'ready') throw new Error(`Parse Server did not start: ${String(said)}`);
      await client.connect();
      await peer.seedDevices(bench, settings.devices);
      return peer;
    } catch (error) {
      await peer.stop();
      throw error;
    }
  }

  /** Its process id. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Sends to every device and waits for the end. @throws if nothing more happens */
  async runCampaign(data: object): Promise<PeerCampaign> {
    const begun = performance.now();
    const headers = await this.call('push', { where: { deviceType: 'ios' }, data });
    const { sent, failed, at } = await this.untilOver(headers.get('x-parse-push-status-id') ?? '');
    return { sent, failed, rate: sent / ((at - begun) / 1_000) };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    await this.client.end();
    await this.admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await this.admin.end();
  }

  private async call(path: string, body: object): Promise<Headers> {
    const answer = await fetch(`http://127.0.0.1:${this.order.port}/parse/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-parse-application-id': PEER_APP_ID,
        'x-parse-master-key': this.order.masterKey,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`Parse Server answered ${answer.status}: ${await answer.text()}`);
    return answer.headers;
  }

  /**
   * Makes the first device by its REST API, which makes the table, and the others like it. The index serves the query
   * of the campaign.
   */
  private async seedDevices({ system }: BenchSystem, devices: number): Promise<void> {
    const { topic } = system.simulator['apns'] as { topic: string };
    const first = { deviceType: 'ios', deviceToken: 'ab'.repeat(32), installationId: randomUUID(), channels: ['news'] };
    await this.call('installations', { ...first, appIdentifier: topic, localeIdentifier: 'de-DE' });
    await this.client.query('TRUNCATE "_Installation"');
    await this.client.query(
      `INSERT INTO "_Installation" ("objectId", "createdAt", "updatedAt", "installationId", "deviceType", "deviceToken",
         "appIdentifier", "appName", "appVersion", "timeZone", "localeIdentifier", "badge", "channels")
       SELECT lpad(n::text, 10, '0'), now(), now(), md5('installation' || n)::uuid::text, 'ios',
         md5('token' || n) || md5('tail' || n), $1, 'Bench', '3.1', 'Europe/Berlin', 'de-DE', 0, '["news"]'
       FROM generate_series(1, $2::integer) n`,
      [topic, devices],
    );
    await this.client.query(`CREATE INDEX ON "_Installation" ("deviceType", "objectId")`);
    await this.client.query('VACUUM ANALYZE "_Installation"');
  }

  private async untilOver(pushId: string): Promise<{ sent: number; failed: number; at: number }> {
    for (let seen = -1, since = performance.now(); ;) {
      const { rows } = await this.client.query<{ status: string; sent: number; failed: number }>(
        `SELECT status, coalesce("numSent", 0)::int AS sent, coalesce("numFailed", 0)::int AS failed
         FROM "_PushStatus" WHERE "objectId" = $1`,
        [pushId],
      );
      const { status, sent, failed } = rows[0] ?? { status: '', sent: 0, failed: 0 };
      const at = performance.now();
      if (status === 'succeeded') return { sent, failed, at };
      if (sent + failed !== seen) [seen, since] = [sent + failed, at];
      if (status === 'failed' || at - since > STUCK_MS)
        throw new Error(`Parse Server stands at "${status}" with ${sent} sent and ${failed} failed`);
      await new Promise((later) => setTimeout(later, 20));
    }
  }
}

async function orderFor(
  { system }: BenchSystem,
  folder: string,
  databaseUrl: string,
  { batchSize, poolSize, requestTimeoutMs }: PeerSettings,
): Promise<PeerOrder> {
  const apns = system.simulator['apns'] as Pick<PeerOrder['apns'], 'keyId' | 'teamId' | 'privateKey' | 'topic'>;
  const { hostname, port } = new URL(system.simulatorTls.url);
  return {
    folder,
    databaseUrl,
    port: await freePort(),
    masterKey: randomBytes(16).toString('hex'),
    batchSize,
    poolSize,
    requestTimeoutMs,
    apns: { ...apns, address: hostname, port: Number(port) },
  };
}
