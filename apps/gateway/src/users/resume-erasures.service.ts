import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';
import { EraseUser } from './erase-user.service';

/** Goes on with erasures that nobody goes on with any more, in every gateway: a user is erased whole, whoever dies over it. */
@Injectable()
export class ResumeErasures extends RecurringWork {
  constructor(
    @Inject(CONFIG) { sweepIntervalMs: intervalMs }: Config,
    @Inject(LOGGER) logger: Logger,
    shutdown: Shutdown,
    private readonly eraseUser: EraseUser,
  ) {
    super({ name: 'resume-erasures', intervalMs, logger, shutdown });
  }

  turn(): Promise<boolean> {
    return this.eraseUser.resume();
  }
}
