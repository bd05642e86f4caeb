import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceImport, DeviceImportsRepository, isBeingErased } from '@postrider/persistence';
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
import {
  type FileInWork,
  fileInWork,
  type Stretch,
  type StretchInWriting,
  WriteStretch,
} from './write-stretch.service';

/** The most records and bytes in one transaction. */
const BATCH_RECORDS = 2_000;
const BATCH_BYTES = 2_097_152;
/** PostgreSQL, the worker and the way between them each have a stretch to work on. */
const WRITTEN_AT_ONCE = 3;
/** After this time a turn reads no further stretch, and ends: messages that wait to be resolved go before files. */
const TURN_MS = 4_000;
/** The longest time that records are read (about sixty) before an answer of PostgreSQL is handled. */
const SLICE_MS = 1.5;

/**
 * How a turn ended: the file is `done` or `failed`; nothing is left to do (`over`); another worker has `taken` the
 * file; more is left to do (`unfinished`); the same, but a user whom the next lines name is being erased (`erasing`); or
 * its tokens are to be validated, which needs a turn that may wait (`validates`).
 */
export type ImportDevicesOutcome = 'done' | 'failed' | 'over' | 'taken' | 'unfinished' | 'erasing' | 'validates';

/** The circumstances of a turn. */
interface Turn {
  appId: string;
  startedAt: number;
  signal: AbortSignal;
  /** Limits how fast FCM is asked about tokens; null: FCM is not asked. */
  pace: CallPace | null;
}

/**
 * Imports the devices of a file, stretch by stretch. The devices, the counts and the position in the file change in one
 * transaction, so every record counts exactly once: a worker may be killed, or run twice at the same time. While
 * PostgreSQL writes some stretches, the next one is read. If the caller asked for it, FCM is asked about the tokens of a
 * stretch before it is written. Such a stretch has no more records than FCM is asked about in a second, and is written
 * before FCM is asked about the next one, so that few tokens are asked about again after a worker was killed.
 */
@Injectable()
export class ImportDevices {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: DeviceImportsRepository,
    private readonly validation: ValidateRecords,
    private readonly writer: WriteStretch,
  ) {}

  /** Takes one turn at a file. @param mayWait true if the turn may wait for the vendor, which validates tokens */
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

  /** @returns how the turn ended, and the place in the file that it reached; null: it wrote nothing */
  async #workStretches(
    job: DeviceImport,
    turn: Turn,
  ): Promise<{ outcome: ImportDevicesOutcome; end: Stretch['to'] | null }> {
    const key = { appId: turn.appId, jobId: job.jobId };
    const writes = new Writes(this.writer, fileInWork(key, job));
    const mayReadOn = (): boolean => !turn.signal.aborted && performance.now() - turn.startedAt < TURN_MS;
    let outcome: ImportDevicesOutcome = 'unfinished';
    try {
      for await (const stretch of oneAhead(readStretches(this.files, turn.appId, job), mayReadOn)) {
        const ended = await this.#workOn(stretch, writes, turn);
        if (ended === null) continue;
        outcome = ended;
        break;
      }
      return { outcome: (await writes.areDone()) ? outcome : 'taken', end: writes.end };
    } catch (error) {
      // Nothing of the stretch is written. It can be written as soon as the erasure has ended.
      if (!isBeingErased(error)) throw error;
      return { outcome: 'erasing', end: writes.end };
    } finally {
      await writes.settle();
    }
  }

  /** @returns how the turn ends with this stretch; null: it continues */
  async #workOn(stretch: Stretch, writes: Writes, turn: Turn): Promise<ImportDevicesOutcome | null> {
    const validated = await this.#validate(stretch, turn);
    if (validated === null) return 'unfinished';
    let isWritten = await writes.begin({ ...stretch, ...validated });
    if (isWritten && wasAsked(validated)) isWritten = await writes.areDone();
    return isWritten ? outcomeAfter(stretch) : 'taken';
  }

  async #validate({ read }: Stretch, { appId, pace, signal }: Turn): Promise<ValidatedRecords | null> {
    if (pace === null) return { read, validation: NOT_VALIDATED };
    return this.validation.validate(appId, read, { pace, signal });
  }
}

/** Writes the stretches of a turn, up to `WRITTEN_AT_ONCE` at a time. */
class Writes {
  /** The place in the file up to which this turn has written; null: it has written nothing. */
  end: Stretch['to'] | null = null;
  /** The stretches that are being written, in the order of the file. */
  readonly #inWriting: { to: Stretch['to']; writing: StretchInWriting }[] = [];

  constructor(
    private readonly writer: WriteStretch,
    private readonly file: FileInWork,
  ) {}

  /**
   * Begins to write a stretch, and waits until there is room for one more.
   * @returns false if this worker could not write one of the stretches before
   */
  begin(stretch: Parameters<WriteStretch['begin']>[1]): Promise<boolean> {
    const before = this.#inWriting.map(({ writing }) => writing);
    this.#inWriting.push({ to: stretch.to, writing: this.writer.begin(this.file, stretch, before) });
    return this.#areWritten(WRITTEN_AT_ONCE - 1);
  }

  /** Waits for all stretches. @returns false if this worker could not write one of them */
  areDone(): Promise<boolean> {
    return this.#areWritten(0);
  }

  /** Waits until nothing is being written any more, whether it succeeds or fails. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#inWriting.map(({ writing }) => writing.isWritten));
  }

  /** Waits until at most `rest` stretches are being written. @returns false if this worker could not write one */
  async #areWritten(rest: number): Promise<boolean> {
    for (const { to, writing } of this.#inWriting.slice(0, Math.max(0, this.#inWriting.length - rest))) {
      if (!(await writing.isWritten)) return false;
      this.end = to;
      this.#inWriting.shift();
    }
    return true;
  }
}

/** @returns how the file ends with this stretch; null: it does not */
function outcomeAfter({ read, isLast }: Stretch): ImportDevicesOutcome | null {
  if (read.failure !== null) return 'failed';
  return isLast ? 'done' : null;
}

/** True if FCM was asked about a token of these records. */
function wasAsked({ validation: { validTokens, invalidTokens, unansweredTokens } }: ValidatedRecords): boolean {
  return validTokens + invalidTokens + unansweredTokens > 0;
}

function optionsOf({ options }: DeviceImport): StoredImportOptions {
  return options as unknown as StoredImportOptions;
}

/**
 * Reads a file from its position, in stretches of at least one record; only that of a file without records is empty. A
 * stretch ends only where a record follows that can be read: a turn that begins behind the last element of a JSON
 * document could not tell whether its list ends. A record is read as soon as it is cut. Between slices of records the
 * answers of PostgreSQL are handled: otherwise PostgreSQL would have nothing to do while a stretch is read.
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
      if (stretches.isFull && record.bytes !== null) yield stretches.cut(false);
      stretches.take(record);
      if (stretches.hasFailed) yield stretches.cut(false);
      if (performance.now() < sliceEndsAt) continue;
      await nextTurn();
      sliceEndsAt = performance.now() + SLICE_MS;
    }
  }
  yield stretches.cut(true);
}

/** Collects the records of a file into stretches. */
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

  /** True if the stretch is to be written before another record is read. */
  get isFull(): boolean {
    return this.#records >= this.#mostRecords || this.#bytes >= BATCH_BYTES;
  }

  /** True if nothing of the file can be read behind the stretch. */
  get hasFailed(): boolean {
    return this.#read.failure !== null;
  }

  take(record: RawRecord): void {
    readImportRecord(this.#place, record, this.#read);
    this.#last = record;
    this.#records += 1;
    this.#bytes += record.bytes?.length ?? 0;
  }

  /** Ends a stretch, and begins the next one after it. */
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

/** Returns the number of the last line that was read; for a JSON document the number of elements. */
function linesWorked({ kind, lines }: ReadingPlace, last: RawRecord | undefined): number {
  if (last === undefined) return lines;
  return kind === 'json' ? last.nextLine : last.nextLine - 1;
}

/**
 * Yields the values of a generator, and begins the next value before it yields the present one, so that both sides work
 * at the same time. Once `mayGoOn` returns false, no further value is begun; one that has been begun is still yielded,
 * so that no work is lost.
 */
async function* oneAhead<T>(source: AsyncGenerator<T, void>, mayGoOn: () => boolean): AsyncGenerator<T, void> {
  let next: Promise<IteratorResult<T, void>> | null = source.next();
  try {
    while (next !== null) {
      const { value, done } = await next;
      if (done === true) return;
      next = mayGoOn() ? source.next() : null;
      // An error is thrown when the value is awaited.
      next?.catch(() => undefined);
      yield value;
    }
  } finally {
    await next?.catch(() => undefined);
    await source.return();
  }
}
