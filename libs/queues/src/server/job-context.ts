import { BaseRpcContext } from '@nestjs/microservices';

/** What a handler knows about the job it was called for. */
export interface JobFacts {
  jobId: string;
  queue: string;
  name: string;
  /** How often the queue has tried it before; the ledger counts tries of a page, not this. */
  attemptsMade: number;
  /** When it was enqueued. */
  enqueuedAt: Date;
  /** Fires when the process begins to stop: finish what is in flight, or give the rest back. */
  signal: AbortSignal;
}

/** A handler's second parameter, and what interceptors and filters find in the RPC context. */
export class JobContext extends BaseRpcContext<[JobFacts]> implements JobFacts {
  constructor(facts: JobFacts) {
    super([facts]);
  }

  get jobId(): string {
    return this.args[0].jobId;
  }

  get queue(): string {
    return this.args[0].queue;
  }

  get name(): string {
    return this.args[0].name;
  }

  get attemptsMade(): number {
    return this.args[0].attemptsMade;
  }

  get enqueuedAt(): Date {
    return this.args[0].enqueuedAt;
  }

  get signal(): AbortSignal {
    return this.args[0].signal;
  }
}
