import { readSend, type RecipientForms } from '@postrider/contracts';
import { InvalidRequest, type MessageKind } from '@postrider/domain';
import {
  ApplicationsRepository,
  type Database,
  FallbacksRepository,
  HeavyReadsRepository,
  IdempotencyRepository,
  SavedDraftsRepository,
  SegmentsRepository,
  UsersRepository,
} from '@postrider/persistence';
import { type Config, type Logger, Traces } from '@postrider/platform';
import type { EdgeHints, JobsClient } from '@postrider/queues';
import type { TestClock } from '@postrider/testing';
import { SavedDrafts } from '../drafts/saved-drafts.service';
import { HeavyReads } from '../heavy-reads/heavy-reads.service';
import { AcceptMessages } from '../messages/sending/accept-messages.service';
import { AcceptanceBatches } from '../messages/sending/acceptance-batches.service';
import { DraftMessages } from '../messages/sending/draft-messages.service';
import { PayloadLimits } from '../messages/sending/payload-limits.service';
import { RecentApplications } from '../messages/sending/recent-applications.service';
import { SendReport } from '../messages/sending/send-report.service';
import { WakeWorkers } from '../messages/sending/wake-workers.service';
import { WriteFallbacks } from '../messages/sending/write-fallbacks.service';
import { WriteMessages } from '../messages/sending/write-messages.service';

/** What a test gives of the system around a gateway. */
interface GatewayDependencies {
  database: Database;
  clock: TestClock;
  jobs: JobsClient;
  hints: EdgeHints;
  logger: Logger;
  config: Config;
}

/** Which recipients each endpoint takes. */
const FORMS: Record<MessageKind, RecipientForms> = { users: 'named', query: 'rules', notify: 'either' };

/** Accepts sends as a gateway does, without HTTP: its own services on a test's database, clock and queues. */
export class AcceptSends {
  readonly #accepting: AcceptMessages;
  readonly #workers: WakeWorkers;

  constructor({ database, clock, jobs, hints, logger, config }: GatewayDependencies) {
    const applications = new ApplicationsRepository(database);
    const recent = new RecentApplications(clock, applications);
    const drafting = new DraftMessages(
      database,
      new HeavyReads({ pool: database, size: 2 }, new HeavyReadsRepository(database)),
      new PayloadLimits(config, recent),
      recent,
      applications,
      new SegmentsRepository(database),
    );
    const writing = new WriteMessages(
      database,
      new IdempotencyRepository(database),
      drafting,
      new AcceptanceBatches(database, config),
      new WriteFallbacks(new FallbacksRepository(database), applications, new UsersRepository(database)),
      new SavedDrafts(clock, new SavedDraftsRepository(database)),
    );
    this.#workers = new WakeWorkers(jobs, logger, hints);
    this.#accepting = new AcceptMessages(clock, drafting, writing, this.#workers, new SendReport(logger, new Traces()));
  }

  /** As a request to the endpoint of that kind. @returns the id of the message */
  async send(appId: string, kind: MessageKind, body: object): Promise<string> {
    const { message, problems } = readSend(body, FORMS[kind], 100);
    if (message === null || problems.length > 0) throw new InvalidRequest(problems);
    const { answer } = await this.#accepting.accept(
      { messages: [message], isBatch: false, body },
      { caller: { appId, gone: new AbortController().signal }, kind },
    );
    await this.#workers.onApplicationShutdown();
    return answer.messageIds[0] ?? '';
  }
}
