import { Injectable, ValidationPipe } from '@nestjs/common';
import type { ErrorDetail } from '@postrider/domain';
import { problemsOf, REQUEST_PACKAGES } from '../validation/read-request';

/** A job whose payload is not what its class says: of another version, or put there by somebody else. It can never be done. */
export class UnfitJob extends Error {
  constructor(readonly problems: readonly ErrorDetail[]) {
    super(`The job does not fit: ${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
    this.name = 'UnfitJob';
  }
}

/**
 * Reads the payload of every job as the class that its handler takes. A worker provides it as its `APP_PIPE`. A job that does not
 * fit throws `UnfitJob`: the transport logs it with its payload and drops it, and its handler never sees it.
 */
@Injectable()
export class JobValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      ...REQUEST_PACKAGES,
      exceptionFactory: (errors) => new UnfitJob(problemsOf(errors)),
    });
  }
}
