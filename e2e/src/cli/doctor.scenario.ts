import { createServer } from 'node:http';
import { join } from 'node:path';
import { startRedis } from '@postrider/tools/embedded/redis';
import { Redis } from 'ioredis';
import { addressOf, type CommandLine, runIn } from './command-line';

/** What the doctor finds. */
export function doctorScenario(cli: () => CommandLine): void {
  it('looks at everything, and says what is not in order', async () => {
    const healthy = await cli().run('--json', 'doctor');
    const findings = JSON.parse(healthy.out) as { name: string; state: string; message: string }[];
    const stateOf = (name: string): string | undefined => findings.find((finding) => finding.name === name)?.state;
    expect([healthy.exitCode, findings.filter(({ state }) => state === 'failed')]).toEqual([0, []]);
    for (const name of [
      'profiles',
      'gateway',
      'time',
      'postgres',
      'disk',
      'redis',
      'lanes',
      'audience-worker',
      'promo-worker',
      'device-edge',
      'eviction',
      'admin token',
      'token',
      'fcm of shop',
    ]) {
      expect([name, stateOf(name)]).toEqual([name, 'ok']);
    }
    const redis = new Redis(cli().postrider.redis.url);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const evicts = await cli().run('doctor');
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
    const said = /^warning {2}eviction: .*\(maxmemory-policy is allkeys-lru\): set maxmemory-policy to noeviction/m;
    expect([evicts.exitCode, evicts.out]).toEqual([0, expect.stringMatching(said)]);
    const wrong = await cli().run('doctor', '--token', 'wrong', '--admin-token', 'wrong-too');
    expect(wrong.exitCode).toBe(7);
    expect(wrong.out).toMatch(/^FAILED {3}admin token: /m);
    expect(wrong.out).toMatch(/^FAILED {3}token: /m);
    const ofOperator = {
      POSTRIDER_URL: cli().postrider.system.gatewayUrl,
      POSTRIDER_ADMIN_TOKEN: cli().postrider.adminToken,
    };
    const elsewhere = { HOME: cli().folder, POSTRIDER_PROFILES: join(cli().folder, 'none.json') };
    const unknown = await runIn({ ...elsewhere, ...ofOperator }, ['doctor', '--app', 'shopp']);
    expect([unknown.exitCode, unknown.out]).toEqual([
      7,
      expect.stringMatching(/^FAILED {3}application: there is no application shopp; /m),
    ]);
    expect(unknown.out).not.toMatch(/^FAILED {3}token/m);
    const nobody = await cli().run('doctor', '--url', 'http://127.0.0.1:1');
    expect([nobody.exitCode, nobody.out]).toEqual([
      7,
      expect.stringMatching(/^FAILED {3}gateway: .* does not answer/m),
    ]);
  });

  it('says that Redis is away', async () => {
    const { postrider } = cli();
    await postrider.redis.stop();
    const { exitCode, out } = await cli().run('doctor');
    postrider.redis = await startRedis({ port: Number(new URL(postrider.redis.url).port) });
    expect([exitCode, out]).toEqual([7, expect.stringMatching(/^FAILED {3}redis: /m)]);
  });

  it('says once that the database is away, and asks for nothing that is in it', async () => {
    const asked: string[] = [];
    const health = {
      ready: false,
      checks: { postgres: { ok: false, critical: true, durationMs: 1, error: 'connect ECONNREFUSED' } },
    };
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.statusCode = url === '/health/live' ? 200 : 503;
      response.end(JSON.stringify(url === '/health/live' ? { status: 'live' } : health));
    }).listen(0, '127.0.0.1');
    const ended = await cli().run('--json', 'doctor', '--url', await addressOf(server));
    server.closeAllConnections();
    server.close();
    expect(asked).toEqual(['/health/live', '/health/ready']);
    const findings = JSON.parse(ended.out) as { name: string; state: string }[];
    expect([ended.exitCode, Object.fromEntries(findings.map(({ name, state }) => [name, state]))]).toEqual([
      7,
      { profiles: 'ok', gateway: 'ok', time: 'ok', postgres: 'failed', tokens: 'skipped', vendors: 'skipped' },
    ]);
  });
}
