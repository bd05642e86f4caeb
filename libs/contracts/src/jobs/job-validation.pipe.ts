import { Injectable, ValidationPipe } from '@nestjs/common';
import type { ErrorDetail } from '@postrider/domain';
import { problemsOf, REQUEST_PACKAGES } from '../validation/read-request';

/**
 * A job whose payload does not fit its class: it has another version, or a foreign program added it. It can never be
 * done.
 */
export class UnfitJob extends Error {
  constructor(readonly problems: readonly ErrorDetail[]) {
    super(`The job does not fit: ${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
    this.name = 'UnfitJob';
  }
}

/**
 * Reads the payload of every job as the class of its handler's parameter. A worker provides it as its `APP_PIPE`. A job
 * that does not fit throws `UnfitJob`: the transport logs it with its payload and drops it, and its handler never sees
 * it.
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
