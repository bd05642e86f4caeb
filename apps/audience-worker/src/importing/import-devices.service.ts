import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceImport, DeviceImportsRepository } from '@postrider/persistence';
import { LOGGER, type Logger, type RawRecord } from '@postrider/platform';
import type { ImportDevicesPayload } from '@postrider/queues';
import { readStoredFile } from '../files/read-stored-file';
import {
  nothingRead,
  readImportRecord,
  type ReadingPlace,
  splitterOf,
  type StoredImportOptions,
} from './read-import-records';
import { NOT_VALIDATED, type ValidatedRecords, ValidateRecords } from './validate-records.service';
import { CallPace } from './validate-tokens';
import { type FileInWork, type Stretch, type StretchInWriting, WriteStretch } from './write-stretch.service';

/** What one transaction takes. */
const BATCH_RECORDS = 2_000;
const BATCH_BYTES = 2_097_152;
/** After this long others have a turn: messages that wait to be resolved go before files. */
const TURN_MS = 4_000;
/** Behind this a stretch that is read ahead would be thrown away more often than not. */
const READ_AHEAD_MS = 3_700;
/** So long an answer of PostgreSQL may wait while records are read: about sixty of them. */
const SLICE_MS = 1.5;

/**
 * How a turn ended: the file is `done` or `failed`; there is nothing (more) to do for it (`over`); another worker has `taken`
 * it; there is more to do (`unfinished`); or its tokens are to be validated, which takes a turn that may wait (`validates`).
 */
export type ImportDevicesOutcome = 'done' | 'failed' | 'over' | 'taken' | 'unfinished' | 'validates';

/** Under which circumstances a turn is taken. */
interface Turn {
  appId: string;
  startedAt: number;
  signal: AbortSignal;
  /** When FCM may be asked about the next token; null: it is not asked. */
  pace: CallPace | null;
}

/**
 * Imports devices as a file says, stretch by stretch. The devices, the counts and how far the file is worked change in one
 * transaction, so that every record counts exactly once: a worker may be killed, run twice or beside itself at any moment. While
 * PostgreSQL writes two stretches, the next one is read. Where the caller asked for it, FCM is asked about the tokens of a stretch before
 * it is written; then a stretch is as long as a second of questions, so that a killed worker asks few of them again.
 */
@Injectable()
export class ImportDevices {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: DeviceImportsRepository,
    private readonly validation: ValidateRecords,
    private readonly writer: WriteStretch,
  ) {}

  /** Takes one turn at a file. @param mayWait whether it may wait for the vendor, where tokens are to be validated */
  async work(
    { appId, jobId }: ImportDevicesPayload,
    signal: AbortSignal,
    mayWait = false,
  ): Promise<ImportDevicesOutcome> {
    const startedAt = performance.now();
    const job = await this.files.find({ appId, jobId });
    if (job?.status !== 'working') return 'over';
    const rate = optionsOf(job).validationRate ?? null;
    if (rate !== null && !mayWait) return 'validates';
    const pace = rate === null ? null : new CallPace(rate);
    const { outcome, end } = await this.#workStretches(job, { appId, startedAt, signal, pace });
    const durationMs = Math.round(performance.now() - startedAt);
    const { position, lines } = end ?? job;
    this.logger.info({ appId, jobId, outcome, position, lines, durationMs }, 'devices.imported');
    return outcome;
  }

  /** @returns how the turn ended, and how far the file is worked by then; null: as before */
  async #workStretches(
    job: DeviceImport,
    turn: Turn,
  ): Promise<{ outcome: ImportDevicesOutcome; end: Stretch['to'] | null }> {
    const writes = new Writes(this.writer, { appId: turn.appId, jobId: job.jobId });
    const isReadAhead = (): boolean => performance.now() - turn.startedAt < READ_AHEAD_MS;
    let outcome: ImportDevicesOutcome = 'taken';
    try {
      for await (const stretch of oneAhead(readStretches(this.files, turn.appId, job), isReadAhead)) {
        const ended = await this.#workOn(stretch, writes, turn);
        if (ended === null) continue;
        outcome = ended;
        break;
      }
      return { outcome: (await writes.areDone()) ? outcome : 'taken', end: writes.end };
    } finally {
      await writes.settle();
    }
  }

  /** @returns how the turn ends with this stretch; null: it goes on */
  async #workOn(stretch: Stretch, writes: Writes, turn: Turn): Promise<ImportDevicesOutcome | null> {
    const validated = await this.#validate(stretch, turn);
    if (validated === null) return 'unfinished';
    return (await writes.begin({ ...stretch, ...validated })) ? outcomeAfter(stretch, turn) : 'taken';
  }

  async #validate({ read }: Stretch, { appId, pace, signal }: Turn): Promise<ValidatedRecords | null> {
    if (pace === null) return { read, validation: NOT_VALIDATED };
    return this.validation.validate(appId, read, { pace, signal });
  }
}

/** Has the stretches of a turn written, two at a time: a third one would wait for the first. */
class Writes {
  /** How far the file is worked in this turn; null: nothing of it. */
  end: Stretch['to'] | null = null;
  readonly #file: FileInWork;
  #last: { to: Stretch['to']; writing: StretchInWriting } | null = null;

  constructor(
    private readonly writer: WriteStretch,
    key: FileInWork['key'],
  ) {
    this.#file = { key, lookFirst: 0 };
  }

  /** Begins with a stretch, and waits for the one before. @returns false when that is somebody else's */
  async begin(stretch: Parameters<WriteStretch['begin']>[1]): Promise<boolean> {
    const before = this.#last;
    this.#last = { to: stretch.to, writing: this.writer.begin(this.#file, stretch, before?.writing ?? null) };
    return this.#isWritten(before);
  }

  /** Waits for the last one. @returns false when it is somebody else's */
  areDone(): Promise<boolean> {
    return this.#isWritten(this.#last);
  }

  /** Waits until nothing is written any more, whatever came of it. */
  async settle(): Promise<void> {
    await this.#last?.writing.isWritten.catch(() => undefined);
  }

  async #isWritten(one: { to: Stretch['to']; writing: StretchInWriting } | null): Promise<boolean> {
    if (one === null) return true;
    const isWritten = await one.writing.isWritten;
    if (isWritten) this.end = one.to;
    return isWritten;
  }
}

/** @returns how the turn ends with this stretch; null: it goes on */
function outcomeAfter({ read, isLast }: Stretch, { signal, startedAt }: Turn): ImportDevicesOutcome | null {
  if (read.failure !== null) return 'failed';
  if (isLast) return 'done';
  return signal.aborted || performance.now() - startedAt >= TURN_MS ? 'unfinished' : null;
}

function optionsOf({ options }: DeviceImport): StoredImportOptions {
  return options as unknown as StoredImportOptions;
}

/**
 * Reads a file from where it was left, in stretches that each hold at least one record; the last one may hold none. A record is read
 * as soon as it is cut, and what PostgreSQL answers meanwhile is seen to between slices of records: otherwise PostgreSQL would have
 * nothing to do while a stretch is read.
 */
async function* readStretches(
  files: DeviceImportsRepository,
  appId: string,
  job: DeviceImport,
): AsyncGenerator<Stretch, void> {
  const stretches = new StretchReader(job);
  let sliceEndsAt = performance.now() + SLICE_MS;
  for await (const piece of readStoredFile(files, { appId, ...job }, stretches.splitter)) {
    for (const record of piece) {
      stretches.take(record);
      if (stretches.isFull) yield stretches.cut(false);
      if (performance.now() < sliceEndsAt) continue;
      await nextTurn();
      sliceEndsAt = performance.now() + SLICE_MS;
    }
  }
  yield stretches.cut(true);
}

/** Makes stretches of the records of a file. */
class StretchReader {
  readonly #place: ReadingPlace;
  readonly #mostRecords: number;
  #read = nothingRead();
  #last: RawRecord | undefined;
  #records = 0;
  #bytes = 0;

  constructor(private readonly job: DeviceImport) {
    this.#place = { ...job, options: { ...optionsOf(job), cameAt: job.createdAt.getTime() } };
    this.#mostRecords = Math.min(BATCH_RECORDS, this.#place.options.validationRate ?? BATCH_RECORDS);
  }

  get splitter(): ReturnType<typeof splitterOf> {
    return splitterOf(this.#place);
  }

  /** Whether the stretch is to be written before another record is read. */
  get isFull(): boolean {
    return this.#records >= this.#mostRecords || this.#bytes >= BATCH_BYTES || this.#read.failure !== null;
  }

  take(record: RawRecord): void {
    readImportRecord(this.#place, record, this.#read);
    this.#last = record;
    this.#records += 1;
    this.#bytes += record.bytes?.length ?? 0;
  }

  /** Ends a stretch, and begins the next one behind it. */
  cut(isLast: boolean): Stretch {
    const place = this.#place;
    const stretch = { from: place.position, read: this.#read, isLast };
    place.position = isLast ? this.job.bytes : (this.#last?.endsAt ?? place.position);
    place.lines = linesWorked(place, this.#last);
    this.#read = nothingRead();
    this.#last = undefined;
    this.#records = 0;
    this.#bytes = 0;
    return { ...stretch, to: { position: place.position, lines: place.lines, columns: place.columns } };
  }
}

/** The last line that is worked; of a document, how many elements are. */
function linesWorked({ kind, lines }: ReadingPlace, last: RawRecord | undefined): number {
  if (last === undefined) return lines;
  return kind === 'json' ? last.nextLine : last.nextLine - 1;
}

/**
 * Gives what a generator yields, and begins with the next one before: both work at once. Unless `isWorthIt` says no: then the next
 * one is begun when it is asked for.
 */
async function* oneAhead<T>(source: AsyncGenerator<T, void>, isWorthIt: () => boolean): AsyncGenerator<T, void> {
  let next: Promise<IteratorResult<T, void>> | null = null;
  try {
    for (;;) {
      const { value, done } = await (next ?? source.next());
      if (done === true) return;
      next = isWorthIt() ? source.next() : null;
      // It is looked at when it is its turn.
      next?.catch(() => undefined);
      yield value;
    }
  } finally {
    await next?.catch(() => undefined);
    await source.return();
  }
}
