import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createDataSource, PartitionsRepository } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { seedApplication } from '../seed/seed-application';
import { Simulator } from '../start/simulator';
import { atLeast, type BenchRow, median } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { type LoadRequest, loadHttp } from './http-load';
import { ProcessTime, sayTimes } from './process-time';
import { measureSteady, readRecipients, saySteady, type Recipient } from './steady-sends';
import type { PipelineOrder } from './yardsticks/bare-pipeline';
import type { ServiceAccount } from './yardsticks/google-token';

const DEVICES = 20_000;
const CONNECTIONS = 32;
const SECONDS = Number(process.env.BENCH_SINGLES_SECONDS ?? 8);
const ROUNDS = 3;
/** The number of past days with partitions in the ledger: as many as `RETENTION_DAYS` keeps after a while. */
const PAST_DAYS = Number(process.env.BENCH_SINGLES_DAYS ?? 0);
const DAY_MS = 86_400_000;

const MESSAGE = { content: 'Your parcel is on its way', notification: { title: 'Parcel', body: 'It comes today' } };

/**
 * How many messages to one user each are sent completely per second: from the request to the vendor, with no backlog.
 */
export const singlesRow: BenchRow = {
  name: 'singles',
  about: `toUsers to single users over ${CONNECTIONS} connections until the vendor has the last, beside a bare handler, BRPOP, the same HTTP/2 call and one UPDATE`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const recipients = await prepare(bench);
      if (PAST_DAYS > 0) progress(`${PAST_DAYS} days of partitions`);
      await runOurs(bench, recipients, 1);
      const yardstick = await startYardstick(bench);
      const times = await ProcessTime.of(bench);
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      try {
        for (let round = 1; round <= ROUNDS; round++) {
          measured.yardstick.push((await runTheirs(bench, yardstick.url, recipients)).rate);
          const before = times.read();
          const { rate, messages } = await runOurs(bench, recipients, SECONDS);
          measured.ours.push(rate);
          progress(`round ${round}: ${rate.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} messages/s`);
          progress(`  processor time a message: ${sayTimes(before, times.read(), messages)}`);
        }
      } finally {
        yardstick.stop();
      }
      progress(saySteady('alone', await measureSteady(bench, MESSAGE, recipients)));
      return atLeast(0.5, 'singles', 'messages/s', median(measured.ours), median(measured.yardstick));
    } finally {
      await bench.stop();
    }
  },
};

async function prepare(bench: BenchSystem): Promise<Recipient[]> {
  const { databaseUrl } = bench.databases;
  await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
  if (PAST_DAYS > 0) await makePastPartitions(databaseUrl);
  return readRecipients(bench);
}

async function makePastPartitions(databaseUrl: string): Promise<void> {
  const database = createDataSource(new Secret(databaseUrl), 1, { applicationName: 'bench' });
  await database.initialize();
  await new PartitionsRepository(database).ensure(new Date(Date.now() - PAST_DAYS * DAY_MS), PAST_DAYS);
  await database.destroy();
}

function runOurs(bench: BenchSystem, recipients: readonly Recipient[], seconds: number): Promise<Sent> {
  const path = `/api/push/toUsers?access_token=${bench.serverToken}`;
  return sendFor(bench, { url: bench.system.gatewayUrl, seconds }, (n) => ({
    path,
    body: JSON.stringify({ ...MESSAGE, user: at(recipients, n).user }),
  }));
}

function runTheirs(bench: BenchSystem, url: string, recipients: readonly Recipient[]): Promise<Sent> {
  return sendFor(bench, { url, seconds: SECONDS }, (n) => ({
    path: '/send',
    body: JSON.stringify({ ...MESSAGE, token: at(recipients, n).token }),
  }));
}

function at(recipients: readonly Recipient[], n: number): Recipient {
  return recipients[n % recipients.length] as Recipient;
}

/** The messages that were sent completely. */
interface Sent {
  messages: number;
  /** Messages a second, from the first request until the vendor has taken the last. */
  rate: number;
}

/** @throws if the vendor does not take each message exactly once */
async function sendFor(
  bench: BenchSystem,
  { url, seconds }: { url: string; seconds: number },
  next: (n: number) => LoadRequest,
): Promise<Sent> {
  const before = await countTaken(bench);
  const begun = performance.now();
  let messages = 0;
  await loadHttp(url, CONNECTIONS, seconds, (n) => {
    messages++;
    return next(n);
  });
  for (let taken = 0, since = performance.now(); ;) {
    const now = (await countTaken(bench)) - before;
    if (now !== taken) [taken, since] = [now, performance.now()];
    const quietMs = performance.now() - since;
    if (taken > messages || quietMs > STUCK_MS)
      throw new Error(`The vendor has taken ${taken} of ${messages} messages`);
    if (taken === messages && quietMs > QUIET_MS) return { messages, rate: messages / ((since - begun) / 1_000) };
    await new Promise((later) => setTimeout(later, 20));
  }
}

/** A message that comes twice comes within this time. */
const QUIET_MS = 200;
const STUCK_MS = 30_000;

async function countTaken({ system }: BenchSystem): Promise<number> {
  return (await new Simulator(system.simulatorUrl).counts()).accepted;
}

async function startYardstick(bench: BenchSystem): Promise<{ url: string; stop(): void }> {
  const script = join(__dirname, 'yardsticks', 'bare-pipeline.js');
  const { databaseUrl, redisUrl } = bench.databases;
  const { url: vendor, ca } = bench.system.simulatorTls;
  const env = { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: ca };
  const handler: ChildProcess = spawn(process.execPath, [script, 'handler'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(handler.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const worker = fork(script, ['worker'], { env });
  const order: PipelineOrder = { url: vendor, ca, ...(await sameRequest(bench)) };
  worker.send(order);
  await once(worker, 'message');
  const stop = (): void => {
    handler.kill();
    worker.kill();
  };
  return { url: line.toString().trim(), stop };
}

/** The request that our worker sent last. */
async function sameRequest({ system }: BenchSystem): Promise<Pick<PipelineOrder, 'account' | 'path' | 'body'>> {
  const inbox = await fetch(`${system.simulatorUrl}/inbox?vendor=fcm&limit=1`);
  const [last] = (await inbox.json()) as { token: string; payload: unknown }[];
  if (!last) throw new Error('The simulator has received nothing');
  const { serviceAccount: account } = system.simulator.fcm as { serviceAccount: ServiceAccount };
  return {
    account,
    path: '/v1/projects/demo/messages:send',
    body: JSON.stringify(last.payload).replace(last.token, '%TOKEN%'),
  };
}
