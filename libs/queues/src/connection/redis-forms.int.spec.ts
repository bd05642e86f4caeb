import { untilTrue } from '@postrider/testing';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller } from '@nestjs/common';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a port for the servers that this test starts
import { freePort } from '@postrider/tools/embedded/free-port';
import { JOBS_CLIENT, type JobsClient } from '../client/jobs-client';
import { QueueInspector } from '../inspector/queue-inspector';
import { editTags, importDevices, resolveMessage, type ResolveMessagePayload, QUEUE_PREFIX } from '../jobs';
import { HandleJob } from '../server/handle-job';
import { startTestWorker } from '../testing/start-test-worker';

let seen: string[] = [];

@Controller()
class ResolveProcessor {
  /** The queue's other jobs. */
  @HandleJob([editTags, importDevices])
  edit(): void {
    // nothing to do
  }

  @HandleJob(resolveMessage)
  resolve({ messageId }: ResolveMessagePayload): void {
    seen.push(messageId);
  }
}

/** Only the native server supports Sentinel and Cluster. */
const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedisServer) process.stdout.write('Sentinel and Cluster are not tested: no redis-server on PATH\n');

(hasRedisServer ? describe : describe.skip)('REDIS_URL of other forms', () => {
  let folder: string;
  let servers: ChildProcess[];

  beforeEach(async () => {
    seen = [];
    servers = [];
    folder = await mkdtemp(join(tmpdir(), 'postrider-redis-'));
  });

  afterEach(async () => {
    await Promise.all(
      servers.map(async (server) => {
        const gone = new Promise((exited) => server.once('exit', exited));
        server.kill('SIGKILL');
        await gone;
      }),
    );
    await rm(folder, { recursive: true, force: true });
  });

  async function start(port: number, ...words: string[]): Promise<(...command: string[]) => string> {
    servers.push(spawn('redis-server', words, { stdio: 'ignore', cwd: folder }));
    const ask = (...command: string[]): string =>
      execFileSync('redis-cli', ['-p', String(port), '-a', 'word', '--no-auth-warning', ...command], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString();
    await untilTrue(() => {
      try {
        return ask('ping').includes('PONG');
      } catch {
        return false;
      }
    });
    return ask;
  }

  const plain = (port: number): string[] => ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];

  async function expectJobsToRun(url: string): Promise<void> {
    const worker = await startTestWorker(url, QUEUE_PREFIX, [ResolveProcessor], { graceMs: 300 });
    try {
      const payloads = ['m1', 'm2', 'm3'].map((messageId) => ({ appId: 'shop', messageId }));
      await worker.get<JobsClient>(JOBS_CLIENT).enqueue(resolveMessage, payloads);
      await untilTrue(() => seen.length === 3);
      expect([...seen].sort()).toEqual(['m1', 'm2', 'm3']);
      expect((await worker.get(QueueInspector).counts('audience')).waiting).toBe(0);
    } finally {
      await worker.stop();
    }
  }

  it('reaches the master that the sentinels name, with their password', async () => {
    const [port, sentinelPort] = [await freePort(), await freePort()];
    await start(port, ...plain(port), '--requirepass', 'word');
    const lines = [`port ${sentinelPort}`, 'bind 127.0.0.1', 'requirepass word'];
    lines.push(`sentinel monitor main 127.0.0.1 ${port} 1`, 'sentinel auth-pass main word', '');
    await writeFile(join(folder, 'sentinel.conf'), lines.join('\n'));
    await start(sentinelPort, join(folder, 'sentinel.conf'), '--sentinel');
    await expectJobsToRun(`redis+sentinel://:word@127.0.0.1:${sentinelPort}/main`);
  });

  it('works on a cluster, each queue in one slot', async () => {
    const port = await freePort();
    const cluster = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'];
    const ask = await start(port, ...plain(port), ...cluster, '--cluster-port', String(await freePort()));
    ask('cluster', 'addslotsrange', '0', '16383');
    await untilTrue(() => ask('cluster', 'info').includes('cluster_state:ok'));
    await expectJobsToRun(`redis+cluster://127.0.0.1:${port}`);
  });
});
