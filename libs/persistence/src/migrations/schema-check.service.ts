import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthRegistry, LOGGER, type Logger } from '@postrider/platform';
import { type Database, DATABASE } from '../database/executor';
import { migrationsThatRan } from './migrate';

/** Names of migrations that a message lists; the others are counted. */
const NAMES_SHOWN = 3;

/**
 * Keeps a process unready while the schema is older than the process needs, and names the missing migrations. Once they
 * have run, the process is ready without a restart, and a worker takes its first job. Migrations that the process does not
 * know are allowed: during a roll-out newer processes have run theirs.
 */
@Injectable()
export class SchemaCheck implements OnModuleInit {
  #isBehind = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly health: HealthRegistry,
  ) {}

  /** Checks once at the start, so that the log has the result even if nobody asks for the readiness. */
  async onModuleInit(): Promise<void> {
    this.health.register('schema', () => this.check(), { critical: true, isNeededForWork: true });
    await this.check().catch(() => undefined);
  }

  /** @throws if migrations are missing (with their names and what to do), or if PostgreSQL does not answer */
  async check(): Promise<void> {
    const missing = await this.#missing();
    this.#tell(missing);
    if (missing.length > 0) throw new Error(describe(missing, this.database.migrations.length));
  }

  /** @returns the names of the migrations that this process knows and that have not run, oldest first */
  async #missing(): Promise<string[]> {
    const ran = new Set(await migrationsThatRan(this.database));
    return this.database.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .filter((name) => !ran.has(name));
  }

  #tell(missing: readonly string[]): void {
    const isBehind = missing.length > 0;
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    if (isBehind) this.logger.error({ missing }, 'schema.behind');
    else this.logger.info('schema.current');
  }
}

function describe(missing: readonly string[], known: number): string {
  const shown = missing.slice(0, NAMES_SHOWN).join(', ');
  const more = missing.length > NAMES_SHOWN ? ` and ${missing.length - NAMES_SHOWN} more` : '';
  return `${missing.length} of ${known} migrations are missing (${shown}${more}): run "npm run migrate"`;
}
