import { systemClock } from '@postrider/domain';
import { identifier, type Sql, sql } from '@postrider/persistence';
import { Shutdown } from '@postrider/platform';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Maintenance } from './maintenance.service';
import { MaintenanceMetrics } from './maintenance-metrics';
import type { MaintenanceTask } from './maintenance-task';
import { TaskRunner } from './task-runner.service';

/** The locks that all workers of a test hold, in place of PostgreSQL. */
class SharedLocks {
  readonly held = new Set<number>();

  async tryWith<T>(id: number, work: () => Promise<T>): Promise<T | null> {
    if (this.held.has(id)) return null;
    this.held.add(id);
    try {
      return await work();
    } finally {
      this.held.delete(id);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The rows of the tables that tasks look for, in place of PostgreSQL. */
class DueRows {
  readonly tables = new Set<string>();
  asked = 0;
  answer = (due: boolean[]): Promise<boolean[]> => Promise.resolve(due);

  areDue(kinds: readonly Sql[]): Promise<boolean[]> {
    this.asked += 1;
    return this.answer(kinds.map((kind) => this.tables.has(kind.toQuery().text)));
  }
}

/** A task that notes when it ran, and then does as the test says. */
class NotedTask implements MaintenanceTask {
  readonly ranAt: number[] = [];

  constructor(
    readonly name: string,
    readonly lock: number,
    readonly intervalMs: number,
    private readonly work: (signal: AbortSignal, runs: number) => Promise<boolean> = () => Promise.resolve(false),
  ) {}

  run(signal: AbortSignal): Promise<boolean> {
    this.ranAt.push(Date.now());
    return this.work(signal, this.ranAt.length);
  }
}

/** A task that looks for the rows of a table of its name. */
class LookingTask extends NotedTask {
  due(): Sql {
    return sql`${identifier(this.name)}`;
  }
}

describe('maintenance', () => {
  const clock = systemClock;
  let locks: SharedLocks;
  let rows: DueRows;
  /** Resolves when a worker can work. */
  let able: Promise<boolean>;
  /** Ends what a test that failed left running. */
  const left: Shutdown[] = [];

  beforeEach(() => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    locks = new SharedLocks();
    rows = new DueRows();
    able = Promise.resolve(true);
  });
  afterEach(() => {
    for (const shutdown of left.splice(0)) if (!shutdown.isShuttingDown) shutdown.begin();
    jest.useRealTimers();
  });

  function startWorker(...tasks: MaintenanceTask[]) {
    const lines: Record<string, unknown>[] = [];
    const write = (text: string): void => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (line.event !== 'maintenance.begun') lines.push(line);
    };
    const logger = pino({ messageKey: 'event' }, { write });
    const registry = new Registry();
    const shutdown = new Shutdown();
    left.push(shutdown);
    const runner = new TaskRunner(locks, new MaintenanceMetrics(registry, clock));
    const maintenance = new Maintenance(tasks, rows, runner, { untilAbleToWork: () => able }, logger, shutdown);
    maintenance.onApplicationBootstrap();
    /** The value of a metric of a task. */
    const metric = async (name: string, task: string): Promise<number | undefined> => {
      const found = await registry.getSingleMetric(`postrider_maintenance_${name}`)?.get();
      return found?.values.find(
        ({ labels, ...value }) =>
          labels.task === task && (!('metricName' in value) || String(value.metricName).endsWith('_count')),
      )?.value;
    };
    const stop = async (): Promise<void> => {
      shutdown.begin();
      await maintenance.onModuleDestroy();
    };
    return { maintenance, lines, metric, stop };
  }

  it('runs each task at once, then after each interval, and at once while there is more to do', async () => {
    const often = new NotedTask('often', 1, 1_000);
    const seldom = new NotedTask('seldom', 2, 3_600_000, (_, runs) => Promise.resolve(runs < 3));
    const { stop } = startWorker(often, seldom);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(often.ranAt).toEqual([0, 1_000, 2_000]);
    expect(seldom.ranAt).toEqual([0, 0, 0]);
    await stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(often.ranAt).toHaveLength(3);
  });

  it('begins with the tasks when the process can work, as after the migrations that it needs', async () => {
    let becomeAble = (): void => undefined;
    able = new Promise((resolve) => (becomeAble = () => resolve(true)));
    const task = new NotedTask('pages', 1, 1_000);
    const { metric, stop } = startWorker(task, new LookingTask('messages', 2, 1_000));
    await jest.advanceTimersByTimeAsync(3_500);
    expect([task.ranAt, rows.asked]).toEqual([[], 0]);
    expect(await metric('last_success_timestamp_seconds', 'pages')).toBe(0);
    becomeAble();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(task.ranAt).toEqual([3_500, 4_500]);
    await stop();
  });

  it('runs a task that says what it looks for at the start and when there is work, with one look for all of them', async () => {
    const pages = new LookingTask('pages', 1, 1_000);
    const messages = new LookingTask('messages', 2, 1_000);
    const { metric, stop } = startWorker(pages, messages);
    await jest.advanceTimersByTimeAsync(3_500);
    expect([pages.ranAt, messages.ranAt, rows.asked]).toEqual([[0], [0], 3]);
    expect(await metric('last_success_timestamp_seconds', 'messages')).toBe(3);
    expect(await metric('duration_seconds', 'messages')).toBe(1);
    rows.tables.add('messages');
    await jest.advanceTimersByTimeAsync(2_000);
    expect([pages.ranAt, messages.ranAt, rows.asked]).toEqual([[0], [0, 4_000, 5_000], 5]);
    await stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect([messages.ranAt.length, rows.asked]).toEqual([3, 5]);
  });

  it('runs every task while the look for work fails or does not end, and tells why it fails', async () => {
    const [pages, messages] = [new LookingTask('pages', 1, 1_000), new LookingTask('messages', 2, 1_000)];
    const { lines, stop } = startWorker(pages, messages);
    await jest.advanceTimersByTimeAsync(500);
    rows.answer = () => Promise.reject(new Error('no such table'));
    await jest.advanceTimersByTimeAsync(2_000);
    expect([pages.ranAt, messages.ranAt]).toEqual([
      [0, 1_000, 2_000],
      [0, 1_000, 2_000],
    ]);
    expect(lines).toMatchObject([{ event: 'turn.failed', name: 'look-for-work' }]);
    let end = (): void => undefined;
    rows.answer = (due) => new Promise((resolve) => (end = () => resolve(due)));
    await jest.advanceTimersByTimeAsync(5_000);
    // The look that waits is given up after a second.
    expect([pages.ranAt, messages.ranAt]).toEqual([
      [0, 1_000, 2_000, 4_000, 5_000, 6_000, 7_000],
      [0, 1_000, 2_000, 4_000, 5_000, 6_000, 7_000],
    ]);
    expect(rows.asked).toBe(3);
    rows.answer = (due) => Promise.resolve(due);
    end();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(pages.ranAt).toHaveLength(7);
    await stop();
  });

  it('takes no lock for a task that is idle', async () => {
    const idle = Object.assign(new NotedTask('idle', 1, 1_000), {
      isIdle: () => Promise.resolve(clock.now().getTime() < 2_000),
    });
    const { metric, stop } = startWorker(idle);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(idle.ranAt).toEqual([]);
    expect(await metric('last_success_timestamp_seconds', 'idle')).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(idle.ranAt).toEqual([2_000, 3_000]);
    await stop();
  });

  it('runs a task that failed again after its interval, without a look, until it succeeds', async () => {
    const failing = new LookingTask('failing', 1, 1_000, (_, runs) =>
      runs < 3 ? Promise.reject(new Error('no such column')) : Promise.resolve(false),
    );
    const { lines, stop } = startWorker(failing);
    await jest.advanceTimersByTimeAsync(5_500);
    expect(failing.ranAt).toEqual([0, 1_000, 2_000]);
    expect(lines.map(({ event }) => event)).toEqual(['turn.failed', 'turn.recovered']);
    await stop();
  });

  it('logs and counts a task that fails, tries it again after its interval, and goes on with the others', async () => {
    const failing = new NotedTask('failing', 1, 1_000, (_, runs) =>
      runs < 3 ? Promise.reject(new Error('the database is away')) : Promise.resolve(false),
    );
    const throwing = new NotedTask('throwing', 2, 60_000, () => {
      throw new Error('at once');
    });
    const other = new NotedTask('other', 3, 1_000);
    const { lines, metric, stop } = startWorker(failing, throwing, other);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(await metric('errors_total', 'failing')).toBe(2);
    expect(await metric('last_success_timestamp_seconds', 'failing')).toBe(0);
    expect(other.ranAt).toEqual([0, 1_000]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(failing.ranAt).toEqual([0, 1_000, 2_000]);
    expect(await metric('errors_total', 'failing')).toBe(2);
    expect(await metric('last_success_timestamp_seconds', 'failing')).toBe(2);
    expect(await metric('duration_seconds', 'failing')).toBe(3);
    expect(await metric('interval_seconds', 'failing')).toBe(1);
    expect(await metric('errors_total', 'throwing')).toBe(1);
    expect(await metric('errors_total', 'other')).toBe(0);
    const told = lines.filter(({ name }) => name === 'failing').map(({ event }) => event);
    expect(told).toEqual(['turn.failed', 'turn.recovered']);
    await stop();
  });

  it('says nothing about a failing task while another worker runs it', async () => {
    const failing = new NotedTask('failing', 1, 1_000, (_, runs) =>
      runs < 3 ? Promise.reject(new Error('no such column')) : Promise.resolve(false),
    );
    const { lines, stop } = startWorker(failing);
    await jest.advanceTimersByTimeAsync(500);
    locks.held.add(1);
    await jest.advanceTimersByTimeAsync(1_000);
    locks.held.delete(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(failing.ranAt).toEqual([0, 2_000]);
    expect(lines.map(({ event }) => event)).toEqual(['turn.failed']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(lines.map(({ event }) => event)).toEqual(['turn.failed', 'turn.recovered']);
    await stop();
  });

  it('says once, without a stack, that PostgreSQL is away, however many tasks that fails', async () => {
    const gone = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const away = (_: AbortSignal, runs: number) => (runs < 4 ? Promise.reject(gone) : Promise.resolve(false));
    const { lines, metric, stop } = startWorker(
      new NotedTask('recovery', 1, 1_000, away),
      new NotedTask('retention', 2, 1_000, away),
    );
    await jest.advanceTimersByTimeAsync(5_000);
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, event: 'turn.failed', name: 'recovery', reason: gone.message }),
    ]);
    expect(lines[0]).not.toHaveProperty('err');
    expect(await metric('errors_total', 'retention')).toBe(3);
    await stop();
  });

  it('says for each task that its statement took too long, because only that names the statement', async () => {
    const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const slow = () => Promise.reject(late);
    const { lines, stop } = startWorker(
      new NotedTask('recovery', 1, 1_000, slow),
      new NotedTask('sizes', 2, 1_000, slow),
    );
    await jest.advanceTimersByTimeAsync(2_000);
    expect(lines.map(({ name, err }) => [name, err])).toEqual([
      ['recovery', expect.objectContaining({ code: '57014' })],
      ['sizes', expect.objectContaining({ code: '57014' })],
    ]);
    await stop();
  });

  it('does not wait with the others for a task that hangs, which runs nowhere else meanwhile', async () => {
    let letGo = (): void => undefined;
    const hanging = new NotedTask('hanging', 1, 1_000, (_, runs) =>
      runs === 1 ? new Promise((resolve) => (letGo = () => resolve(false))) : Promise.resolve(false),
    );
    const other = new NotedTask('other', 2, 1_000);
    const [one, next] = [startWorker(hanging, other), startWorker(hanging)];
    await jest.advanceTimersByTimeAsync(60_000);
    expect(hanging.ranAt).toEqual([0]);
    expect(other.ranAt).toHaveLength(61);
    expect(await one.metric('last_success_timestamp_seconds', 'hanging')).toBe(0);
    expect(await one.metric('last_success_timestamp_seconds', 'other')).toBe(60);
    letGo();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(hanging.ranAt.length).toBeGreaterThan(1);
    await Promise.all([one.stop(), next.stop()]);
  });

  it('runs a task in one of several workers, and counts a run where it was', async () => {
    let running = 0;
    let most = 0;
    const task = new NotedTask('task', 1, 1_000, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 300));
      running--;
      return false;
    });
    const workers = [startWorker(task), startWorker(task), startWorker(task)];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(most).toBe(1);
    const counts = await Promise.all(workers.map(({ metric }) => metric('duration_seconds', 'task')));
    expect(counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBeGreaterThanOrEqual(task.ranAt.length - 1);
    const stopping = Promise.all(workers.map(({ stop }) => stop()));
    await jest.advanceTimersByTimeAsync(1_000);
    await stopping;
  });

  it('tells a run that the process stops, and waits for it', async () => {
    let letGo = (): void => undefined;
    let signal = new AbortController().signal;
    const task = new NotedTask('long', 1, 1_000, (given) => {
      signal = given;
      return new Promise((resolve) => (letGo = () => resolve(true)));
    });
    const { stop } = startWorker(task);
    await jest.advanceTimersByTimeAsync(0);
    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(signal.aborted).toBe(true);
    expect(isStopped).toBe(false);
    letGo();
    await stopped;
    expect(task.ranAt).toHaveLength(1);
  });

  it('does not wait for a run when its module is destroyed because the process failed to start', async () => {
    const task = new NotedTask('endless', 1, 1_000, () => new Promise(() => undefined));
    const { maintenance } = startWorker(task);
    await jest.advanceTimersByTimeAsync(0);
    await maintenance.onModuleDestroy();
    expect(task.ranAt).toHaveLength(1);
  });

  it.each([
    ['name', new NotedTask('same', 1, 1_000), new NotedTask('same', 2, 1_000)],
    ['lock', new NotedTask('one', 7, 1_000), new NotedTask('other', 7, 1_000)],
  ])('refuses two tasks with one %s', (property, ...twins) => {
    expect(() => startWorker(...twins)).toThrow(`Two maintenance tasks have the ${property}`);
  });
});
