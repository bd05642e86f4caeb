import type { JsonObject } from '@postrider/domain';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { Job } from '../jobs/job';
import { routeOf } from '../queue-registry';
import type { JobContext } from './job-context';
import type { JobOutcome } from './job-outcome';

/** What a handler adds to its job's queue. */
export interface HandleJobOptions {
  /** Most jobs of the queue that this process works on at once. The server's options go before this. */
  concurrency?: number;
}

/** A method that does a job. */
export type JobHandler<P extends JsonObject> = (
  payload: P,
  context: JobContext,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a handler that gives nothing back is the usual one
) => JobOutcome | void | Promise<JobOutcome | void>;

/** Where Nest keeps which parameter gets what. */
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
