import { BaseRpcContext, Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { JsonObject } from '@postrider/domain';
import { type Job, routeOf } from '../jobs';

/** What a handler knows about its job. */
interface JobFacts {
  queue: string;
  name: string;
  /** Fires when the process begins to stop: finish what is in flight, or give the rest back. */
  signal: AbortSignal;
}

/** A handler's second parameter, and what interceptors and filters find in the RPC context. */
export class JobContext extends BaseRpcContext<[JobFacts]> implements JobFacts {
  constructor(facts: JobFacts) {
    super([facts]);
  }

  get queue(): string {
    return this.args[0].queue;
  }

  get name(): string {
    return this.args[0].name;
  }

  get signal(): AbortSignal {
    return this.args[0].signal;
  }
}

/** Not done: the same job comes again after `delayMs`. */
export type Again = { kind: 'again'; delayMs: number };

/**
 * The result of a handler: nothing if the job is done, or `{ kind: 'again', delayMs }`. An exception means an
 * unexpected error: the job is dropped, and recovery enqueues it again.
 */
export type JobOutcome = Again | undefined;

/** Makes the job come again after `delayMs`. */
export function again(delayMs: number): Again {
  return { kind: 'again', delayMs };
}

/** True if a handler asked for the job to come again. */
export function isAgain(outcome: unknown): outcome is Again {
  return (
    typeof outcome === 'object' &&
    outcome !== null &&
    (outcome as Again).kind === 'again' &&
    typeof (outcome as Again).delayMs === 'number'
  );
}

/** Options of the job's queue. */
interface HandleJobOptions {
  /** The most jobs of the queue at the same time in this process. The server's options override this. */
  concurrency?: number;
}

/** A method that handles a job. */
type JobHandler<P extends JsonObject> = (
  payload: P,
  context: JobContext,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a handler that gives nothing back is the usual one
) => JobOutcome | void | Promise<JobOutcome | void>;

/** Nest's metadata key for the parameters of a method. */
const PARAMETERS = '__routeArguments__';

/**
 * Makes a controller's method the handler of a job, or of several jobs with the same payload:
 *
 * ```ts
 * @HandleJob(resolveMessage)
 * resolve(payload: ResolveMessagePayload, context: JobContext): Promise<JobOutcome>
 *
 * @HandleJob([attemptPage.fcm, attemptPage.apns], { concurrency: 4 })
 * ```
 *
 * It gets the payload and the `JobContext`, unless its parameters are decorated (`@Payload(pipe)`, `@Ctx()`). Pipes,
 * guards, interceptors and filters work as on any `@MessagePattern`.
 */
export function HandleJob<P extends JsonObject>(jobs: Job<P> | readonly Job<P>[], options: HandleJobOptions = {}) {
  const list: readonly Job<P>[] = Array.isArray(jobs) ? (jobs as readonly Job<P>[]) : [jobs as Job<P>];
  return <Handler extends JobHandler<P>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    if (Reflect.getMetadata(PARAMETERS, target.constructor, key) === undefined) {
      Payload()(target, key, 0);
      Ctx()(target, key, 1);
    }
    MessagePattern(list.map(routeOf), { ...options })(target, key, descriptor);
  };
}
