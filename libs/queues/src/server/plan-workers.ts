import type { JsonObject } from '@postrider/domain';
import { type Job, routeOf } from '../jobs';

/** One worker to start: a queue, and its concurrency. */
export interface PlannedWorker {
  queue: string;
  concurrency: number;
}

/** A handler that Nest found, by its pattern. */
export interface FoundHandler {
  route: string;
  concurrency?: number;
}

/** The declarations of the process. */
interface WorkerWishes {
  /** The queues that it works on. Left out: those with handlers. */
  owns?: readonly string[];
  concurrency?: number | Partial<Record<string, number>>;
  /** Queues for which it has handlers and which it leaves to other processes of its app. */
  leaves?: readonly string[];
}

const DEFAULT_CONCURRENCY = 1;

/**
 * Returns the workers that a process starts for its handlers: one for each of its queues, except those that it leaves
 * to others.
 * @throws if a handler's job is not in the registry, two handlers share one job, a queue that the process owns has a
 * job without a handler, or a handler serves a queue that the process does not own; one message lists all of these
 */
export function planWorkers(
  handlers: readonly FoundHandler[],
  jobs: readonly Job<JsonObject>[],
  wishes: WorkerWishes = {},
): PlannedWorker[] {
  const byRoute = new Map(jobs.map((job) => [routeOf(job), job]));
  const handled = new Set(handlers.map(({ route }) => route));
  const queues = wishes.owns ?? [...new Set([...handled].flatMap((route) => byRoute.get(route)?.queue ?? []))];
  const worked = queues.filter((queue) => wishes.leaves?.includes(queue) !== true);
  const faults = [
    ...[...handled].filter((route) => !byRoute.has(route)).map((route) => `no job "${route}" in the registry`),
    ...repeated(handlers.map(({ route }) => route)).map((route) => `two handlers for "${route}"`),
    ...jobs
      .filter((job) => queues.includes(job.queue) && !handled.has(routeOf(job)))
      .map((job) => `no handler for "${routeOf(job)}"`),
    ...jobs
      .filter((job) => !queues.includes(job.queue) && handled.has(routeOf(job)))
      .map((job) => `a handler for "${routeOf(job)}", whose queue this process does not own`),
  ];
  if (worked.length === 0) faults.push('no queue to work on');
  if (faults.length > 0) throw new Error(`Jobs and handlers do not match: ${faults.join('; ')}`);
  return worked.map((queue) => ({ queue, concurrency: concurrencyOf(queue, handlers, wishes) }));
}

function repeated(routes: readonly string[]): string[] {
  return [...new Set(routes.filter((route, index) => routes.indexOf(route) !== index))];
}

function concurrencyOf(queue: string, handlers: readonly FoundHandler[], wishes: WorkerWishes): number {
  const wished = typeof wishes.concurrency === 'number' ? wishes.concurrency : wishes.concurrency?.[queue];
  const decorated = handlers
    .filter(({ route }) => route.startsWith(`${queue}/`))
    .map(({ concurrency }) => concurrency ?? DEFAULT_CONCURRENCY);
  return wished ?? Math.max(DEFAULT_CONCURRENCY, ...decorated);
}
