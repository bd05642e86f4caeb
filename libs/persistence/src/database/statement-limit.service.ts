import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LOGGER, type Logger } from '@postrider/platform';
import { type Database, DATABASE, rows } from './executor';
import { whenAvailable } from './open-database';

/**
 * Warns at the start if PostgreSQL has no time limit for statements. Through a pooler a process must not change the
 * settings of a connection, so the role has to have the limit.
 */
@Injectable()
export class StatementLimit implements OnModuleInit {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const ask = () => rows<{ statement_timeout: string }>(this.database, 'SHOW statement_timeout');
    const [limit] = await whenAvailable(ask, this.logger);
    if (limit?.statement_timeout !== '0') return;
    this.logger.warn({ advice: `ALTER ROLE … SET statement_timeout = '1min'` }, 'database.statements-unlimited');
  }
}
