import type { Clock } from '@postrider/domain';
import { type Database, MessagesRepository } from '@postrider/persistence';
import { type Config, type Logger, Traces } from '@postrider/platform';
import type { EdgeHints, Enqueuer } from '@postrider/queues';
import { EnqueueResolved } from '../enqueueing/enqueue-resolved.service';
import { ResolveBatch } from '../resolving/resolve-batch.service';
import { ResolveMessageProcessor } from '../resolving/resolve-message.processor';
import { ResolveMessageService } from '../resolving/resolve-message.service';
import { ResolveReport } from '../resolving/resolve-report.service';

/** What a test gives of the system around an audience worker. */
interface AroundAudienceWorker {
  database: Database;
  clock: Clock;
  enqueuer: Enqueuer;
  hints: EdgeHints;
  logger: Logger;
  config: Config;
}

/** Puts together what resolves messages in an audience worker, without queues: its own services on a test's database. */
export function startResolving(around: AroundAudienceWorker): ResolveMessageProcessor {
  const { database, clock, enqueuer, hints, logger, config } = around;
  const report = new ResolveReport(logger, new Traces());
  const enqueueResolved = new EnqueueResolved(enqueuer, hints);
  const stored = new MessagesRepository(database);
  const messages = new ResolveMessageService(database, config, clock, report, enqueueResolved, stored);
  const batches = new ResolveBatch(database, config, clock, report, enqueueResolved, messages);
  return new ResolveMessageProcessor(messages, batches);
}
