import { Inject, Injectable } from '@nestjs/common';
import { MOST_TAGS } from '@postrider/contracts';
import { type Clock, DAY_MS } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  inRetriedTransaction,
  type TagJob,
  TagJobsRepository,
  type LineError,
  TagsRepository,
  type UserTagEdit,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, type RawRecord, RecordSplitter } from '@postrider/platform';
import type { EditTagsPayload } from '@postrider/queues';
import { readStoredFile } from '../files/read-stored-file';
import { type Header, readCsv, readHeader, readNdjson, type TagLine, type LineEdit } from './read-lines';

/** A CSV record has at most three names; a line of JSON may name a thousand tags. */
const MAX_RECORD_BYTES = { csv: 65_536, ndjson: 1_048_576 };

/** The lines of one transaction: short enough to hold nobody up, long enough to be efficient. */
const BATCH_LINES = 1_000;
const BATCH_BYTES = 262_144;

/** The records that one transaction processes. */
interface RecordBatch {
  records: RawRecord[];
  isLast: boolean;
}

/**
 * Reads a file from its position, in batches of at least one record; the last one may be empty. Memory holds a piece of
 * the file and a batch.
 */
async function* readTagFile(jobs: TagJobsRepository, appId: string, job: TagJob): AsyncGenerator<RecordBatch, void> {
  let records: RawRecord[] = [];
  let bytes = 0;
  for await (const piece of readRecords(jobs, appId, job)) {
    for (const record of piece) {
      records.push(record);
      bytes += record.bytes?.length ?? 0;
      if (records.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
      yield { records, isLast: false };
      records = [];
      bytes = 0;
    }
  }
  yield { records, isLast: true };
}

function readRecords(jobs: TagJobsRepository, appId: string, job: TagJob): AsyncGenerator<Iterable<RawRecord>, void> {
  const { position, lines, format } = job;
  const splitter = new RecordSplitter({
    offset: position,
    line: lines + 1,
    isQuoted: format === 'csv',
    maxBytes: MAX_RECORD_BYTES[format],
  });
  return readStoredFile(jobs, { appId, ...job }, splitter);
}

/** What a batch of lines does to one user, and the numbers of these lines. */
interface MergedEdit extends UserTagEdit {
  lines: number[];
}

/** Merges lines that are carried out one after the other: one edit for each user, in the order of the ids. */
export function mergeLines(lines: readonly TagLine[]): MergedEdit[] {
  const byUser = new Map<string, { line: number[]; edit: Merged }>();
  for (const line of lines) {
    if ('problem' in line) continue;
    let user = byUser.get(line.userId);
    if (!user) byUser.set(line.userId, (user = { line: [], edit: new Merged() }));
    user.line.push(line.line);
    user.edit.follow(line.edit);
  }
  return [...byUser]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([userId, { line, edit }]) => ({ userId, ...edit.result(), lines: line }));
}

/** Merges consecutive edits of one user into one edit with the same effect. */
class Merged {
  readonly #removed = new Set<string>();
  readonly #added = new Map<string, string | null>();

  follow({ removed, added }: LineEdit): void {
    for (const tag of removed) {
      this.#removed.add(tag);
      this.#added.delete(tag);
    }
    for (const { tag, value } of added) this.#added.set(tag, value ?? this.#added.get(tag) ?? null);
  }

  result(): Omit<UserTagEdit, 'userId'> {
    const values = [...this.#added].flatMap(([tag, value]) => (value === null ? [] : [[tag, value] as const]));
    return { removed: [...this.#removed], added: [...this.#added.keys()], values: Object.fromEntries(values) };
  }
}

/** After this time other jobs have a turn: messages that wait to be resolved have priority over files. */
const TURN_MS = 1_000;
/** If no part of a file was written for this long, recovery takes the worker for dead. */
const RECOVERED_AFTER_MS = 15_000;

/**
 * How a turn ended: the file is `done` or `failed`; there was nothing to do (`over`); another worker processes it
 * (`taken`); or there is more to do (`unfinished`).
 */
export type EditTagsOutcome = 'done' | 'failed' | 'over' | 'taken' | 'unfinished';

/**
 * Changes tags by a file, batch by batch. The tags, the counts and the position in the file change in one transaction,
 * so that every line counts exactly once: a worker may be killed, or run twice at the same time, at any moment.
 */
@Injectable()
export class EditTags {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: TagJobsRepository,
    private readonly tags: TagsRepository,
  ) {}

  /** Takes one turn at a file. */
  async work({ appId, jobId }: EditTagsPayload, signal: AbortSignal): Promise<EditTagsOutcome> {
    const startedAt = performance.now();
    const job = await this.jobs.find({ appId, jobId });
    if (job?.status !== 'working') return 'over';
    const outcome = await this.#work(appId, job, signal, startedAt + TURN_MS);
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ appId, jobId, outcome, position: job.position, lines: job.lines, durationMs }, 'tags.edited');
    return outcome;
  }

  async #work(appId: string, job: TagJob, signal: AbortSignal, until: number): Promise<EditTagsOutcome> {
    for await (const batch of readTagFile(this.jobs, appId, job)) {
      const outcome = await this.#workBatch(appId, job, batch);
      if (outcome !== 'unfinished') return outcome;
      if (signal.aborted || performance.now() >= until) return 'unfinished';
    }
    return 'taken';
  }

  async #workBatch(appId: string, job: TagJob, batch: RecordBatch): Promise<EditTagsOutcome> {
    const header = headerOf(job, batch);
    if (header?.kind === 'bad') {
      await this.#fail(appId, job, header.problem);
      return 'failed';
    }
    if (header) job.columns = [...header.columns];
    const records = header?.kind === 'header' ? batch.records.slice(1) : batch.records;
    if (!(await this.#commit(appId, job, batch, records))) return 'taken';
    moveOn(job, batch);
    return batch.isLast ? 'done' : 'unfinished';
  }

  /** @returns false if another worker processes this part */
  async #commit(appId: string, job: TagJob, { records, isLast }: RecordBatch, told: RawRecord[]): Promise<boolean> {
    const lines = readLines(job, told);
    const edits = mergeLines(lines);
    const refused = lines.flatMap((line) => ('problem' in line ? [{ line: line.line, message: line.problem }] : []));
    const last = records.at(-1);
    const end = {
      position: isLast ? job.bytes : (last?.endsAt ?? job.position),
      lines: (last?.nextLine ?? job.lines + 1) - 1,
    };
    return inRetriedTransaction(this.database, async (executor) => {
      const key = { appId, jobId: job.jobId };
      if (!(await this.jobs.lock(executor, key, job.position))) return false;
      const { overfullUsers, ...changed } = await this.tags.editMany(executor, appId, edits, MOST_TAGS);
      const overfull = new Set(overfullUsers);
      const errors: LineError[] = edits
        .filter(({ userId }) => overfull.has(userId))
        .flatMap((edit) =>
          edit.lines.map((line) => ({ line, message: `would give the user more than ${MOST_TAGS} tags` })),
        );
      const now = this.clock.now();
      const wakeAt = new Date(now.getTime() + (isLast ? this.#keptMs : RECOVERED_AFTER_MS));
      await this.jobs.advance(executor, key, {
        ...end,
        ...changed,
        errors: [...refused, ...errors].sort((one, other) => one.line - other.line),
        columns: job.columns,
        isLast,
        now,
        wakeAt,
      });
      return true;
    });
  }

  async #fail(appId: string, job: TagJob, reason: string): Promise<void> {
    const now = this.clock.now();
    const wakeAt = new Date(now.getTime() + this.#keptMs);
    await this.jobs.fail({ appId, jobId: job.jobId }, { reason, now, wakeAt });
  }

  get #keptMs(): number {
    return this.config.retentionDays * DAY_MS;
  }
}

/** The header of a CSV file, if this is its first batch; null otherwise. */
function headerOf({ format, position }: TagJob, { records }: RecordBatch): Header | null {
  const [first] = records;
  return format === 'csv' && position === 0 && first ? readHeader(first) : null;
}

function moveOn(job: TagJob, { records }: RecordBatch): void {
  const last = records.at(-1);
  if (!last) return;
  job.position = last.endsAt;
  job.lines = last.nextLine - 1;
}

function readLines(job: TagJob, records: RawRecord[]): TagLine[] {
  if (job.format === 'csv') return readCsv(records, job.columns ?? [], job.operation);
  return records.map((record) => readNdjson(record, job.operation)).filter((line) => line !== null);
}
