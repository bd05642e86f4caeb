/** Whoever asked got no reply in time. The job may still run. */
export class JobTimedOut extends Error {
  constructor(route: string, timeoutMs: number) {
    super(`No reply to "${route}" within ${timeoutMs} ms`);
    this.name = 'JobTimedOut';
  }
}

/** The handler of a job that somebody waits for threw; the message is the handler's. */
export class JobFailed extends Error {
  constructor(
    readonly route: string,
    reason: string,
  ) {
    super(reason);
    this.name = 'JobFailed';
  }
}
