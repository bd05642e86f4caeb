import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { METRICS } from '../metrics/metrics';
import { Shutdown } from '../shutdown/shutdown';
import { describeFailure } from './describe-failure';

/** Asks whether something this process depends on answers; rejects when it does not. */
type HealthCheck = () => Promise<unknown>;

/** How a check counts. */
interface HealthCheckOptions {
  /** True if the process is of no use while this check fails. A check that is not critical is only reported. */
  critical: boolean;
  /** Milliseconds after which no answer counts as a failure. */
  timeoutMs?: number;
  /** True if the process takes no work before this check has passed: it could only fail. Left out: it need not pass. */
  isNeededForWork?: boolean;
}

/** The result of one check. */
interface CheckReport {
  ok: boolean;
  critical: boolean;
  durationMs: number;
  error?: string;
}

/** The answer to `GET /health/ready`. */
interface HealthReport {
  ready: boolean;
  status: 'ready' | 'unready' | 'stopping';
  checks: Record<string, CheckReport>;
}

interface RegisteredCheck extends HealthCheckOptions {
  check: HealthCheck;
}

const DEFAULT_TIMEOUT_MS = 2_000;
const WORK_AGAIN_MS = 500;

/**
 * The services that this process depends on, and their state. Modules register their check at start; the health server
 * and the gateway's controller report it.
 */
@Injectable()
export class HealthRegistry {
  readonly #checks = new Map<string, RegisteredCheck>();
  #running: Promise<HealthReport> | undefined;

  constructor(
    private readonly shutdown: Shutdown,
    @Inject(METRICS) metrics: Registry,
  ) {
    const report = (): Promise<HealthReport> => this.report();
    new Gauge({
      name: 'postrider_health_check',
      help: 'Whether what this process depends on answers: 1 yes, 0 no',
      labelNames: ['check'],
      registers: [metrics],
      async collect() {
        for (const [check, { ok }] of Object.entries((await report()).checks)) this.set({ check }, Number(ok));
      },
    });
  }

  /** @throws when the name is taken: two modules would hide each other's failures */
  register(name: string, check: HealthCheck, options: HealthCheckOptions): void {
    if (this.#checks.has(name)) throw new Error(`Health check "${name}" is registered twice`);
    this.#checks.set(name, { check, ...options });
  }

  /**
   * Runs every check, each within its time limit. Never rejects. Callers at the same moment share one run, so that
   * frequent requests do not load the services.
   */
  report(): Promise<HealthReport> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /**
   * Waits until everything answers that the process needs for its work, and asks again every `againAfterMs`.
   *
   * @returns false if the process stops before
   */
  async untilAbleToWork(againAfterMs = WORK_AGAIN_MS): Promise<boolean> {
    const { signal } = this.shutdown;
    while (!signal.aborted) {
      const { checks } = await this.report();
      if ([...this.#checks].every(([name, { isNeededForWork }]) => !isNeededForWork || checks[name]?.ok)) return true;
      await pause(againAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return false;
  }

  async #run(): Promise<HealthReport> {
    const reports = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    const healthy = reports.every(([, report]) => report.ok || !report.critical);
    const stopping = this.shutdown.isShuttingDown;
    return {
      ready: healthy && !stopping,
      status: stopping ? 'stopping' : healthy ? 'ready' : 'unready',
      checks: Object.fromEntries(reports),
    };
  }
}

async function runCheck({ check, critical, timeoutMs = DEFAULT_TIMEOUT_MS }: RegisteredCheck): Promise<CheckReport> {
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([tooLate, (async () => check())()]);
    return { ok: true, critical, durationMs: durationMs() };
  } catch (error) {
    return { ok: false, critical, durationMs: durationMs(), error: describeFailure(error) };
  } finally {
    clearTimeout(timer);
  }
}
