import { Registry } from 'prom-client';
import { Shutdown } from '../shutdown/shutdown';
import { HealthRegistry } from './health-registry';

const works = (): Promise<void> => Promise.resolve();
const fails = (): Promise<never> => Promise.reject(new Error('connection refused'));

describe('readiness', () => {
  it('is there while everything critical answers, also when something else does not', async () => {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    health.register('postgres', works, { critical: true });
    health.register('redis', fails, { critical: false });
    const report = await health.report();
    expect(report).toMatchObject({
      ready: true,
      status: 'ready',
      checks: {
        postgres: { ok: true, critical: true },
        redis: { ok: false, critical: false, error: 'connection refused' },
      },
    });
  });

  it('ends when something critical fails, throws or does not answer in time', async () => {
    const checks = {
      fails,
      hangs: () => new Promise<void>(() => undefined),
      throws: () => {
        throw new Error('at once');
      },
    };
    for (const [name, check] of Object.entries(checks)) {
      const health = new HealthRegistry(new Shutdown(), new Registry());
      health.register(name, check, { critical: true, timeoutMs: 20 });
      expect(await health.report()).toMatchObject({
        ready: false,
        status: 'unready',
        checks: { [name]: { ok: false } },
      });
    }
  });

  it('ends with the beginning of the shutdown', async () => {
    const shutdown = new Shutdown();
    const health = new HealthRegistry(shutdown, new Registry());
    health.register('postgres', works, { critical: true });
    shutdown.begin();
    shutdown.begin();
    expect(shutdown.signal.aborted).toBe(true);
    expect(await health.report()).toMatchObject({
      ready: false,
      status: 'stopping',
      checks: { postgres: { ok: true } },
    });
  });

  it('is not what work waits for: that waits for the checks that it needs, and no longer than the process runs', async () => {
    const shutdown = new Shutdown();
    const health = new HealthRegistry(shutdown, new Registry());
    const answers = [fails, fails, works];
    health.register('clock', fails, { critical: true });
    health.register('schema', () => (answers.shift() ?? fails)(), { critical: true, isNeededForWork: true });
    expect(await health.untilAbleToWork(1)).toBe(true);
    expect(answers).toEqual([]);
    const waiting = health.untilAbleToWork(1);
    shutdown.begin();
    expect(await waiting).toBe(false);
  });

  it('asks once for all who ask at the same moment', async () => {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    let asked = 0;
    health.register('postgres', () => Promise.resolve(asked++), { critical: true });
    await Promise.all([health.report(), health.report(), health.report()]);
    expect(asked).toBe(1);
    await health.report();
    expect(asked).toBe(2);
  });

  it('is shown to monitors check by check', async () => {
    const metrics = new Registry();
    const health = new HealthRegistry(new Shutdown(), metrics);
    health.register('postgres', works, { critical: true });
    health.register('redis', fails, { critical: false });
    const shown = await metrics.metrics();
    expect(shown).toContain('postrider_health_check{check="postgres"} 1');
    expect(shown).toContain('postrider_health_check{check="redis"} 0');
  });

  it('has one check of a name', () => {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    health.register('redis', works, { critical: true });
    expect(() => health.register('redis', works, { critical: false })).toThrow('registered twice');
  });

  it('says what is wrong in one line, also for an error without a message', async () => {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    health.register('redis', () => Promise.reject(refused), { critical: true });
    health.register('postgres', () => Promise.reject(new Error('first\nsecond')), { critical: true });
    const addresses = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    health.register('schema', () => Promise.reject(new AggregateError(addresses)), { critical: true });
    const { checks } = await health.report();
    expect(['redis', 'postgres', 'schema'].map((name) => checks[name]?.error)).toEqual([
      'ECONNREFUSED',
      'first',
      'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    ]);
  });
});
