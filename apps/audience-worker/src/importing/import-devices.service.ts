import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type ImportedDevice, MOST_TAGS } from '@postrider/contracts';
import { type Clock, DAY_MS, type JsonObject } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type DeviceImport,
  DeviceImportsRepository,
  type DeviceToImport,
  type Executor,
  type ImportCounts,
  type ImportedUser,
  ImportsRepository,
  inRetriedTransaction,
  type LineError,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, newId, type RawRecord } from '@postrider/platform';
import type { ImportDevicesPayload } from '@postrider/queues';
import { readStoredFile } from '../files/read-stored-file';
import {
  readImportRecords,
  type ReadingPlace,
  type ReadRecords,
  splitterOf,
  type StoredImportOptions,
} from './read-import-records';

/** What one transaction takes. */
const BATCH_RECORDS = 2_000;
const BATCH_BYTES = 2_097_152;
/** After this long others have a turn: messages that wait to be resolved go before files. */
const TURN_MS = 2_000;
/** A worker that has not come back for more after this time is taken for dead. */
const FORSAKEN_AFTER_MS = 30_000;
/** How many wrong lines of a file are told one by one. */
const MOST_ERRORS = 1_000_000;

/**
 * How a turn ended: the file is `done` or `failed`; there is nothing (more) to do for it (`over`); another worker has `taken`
 * it; or there is more to do (`unfinished`).
 */
export type ImportDevicesOutcome = 'done' | 'failed' | 'over' | 'taken' | 'unfinished';

/** A stretch of a file: where it begins and ends, and what it says. */
interface Stretch {
  from: number;
  to: { position: number; lines: number; columns: string[] | null };
  read: ReadRecords;
  isLast: boolean;
}

/** A device, and the lines that name it: the last one says what it is. */
interface NamedDevice {
  device: DeviceToImport;
  lines: number[];
}

/**
 * Imports devices as a file says, stretch by stretch. The devices, the counts and how far the file is worked change in one
 * transaction, so that every record counts exactly once: a worker may be killed, run twice or beside itself at any moment. While
 * PostgreSQL writes a stretch, the next one is read.
 */
@Injectable()
export class ImportDevices {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: DeviceImportsRepository,
    private readonly imports: ImportsRepository,
  ) {}

  /** Takes one turn at a file. */
  async work({ appId, jobId }: ImportDevicesPayload, signal: AbortSignal): Promise<ImportDevicesOutcome> {
    const startedAt = performance.now();
    const job = await this.files.find({ appId, jobId });
    if (job?.status !== 'working') return 'over';
    let failed = job.failed;
    let end: Stretch | null = null;
    const finish = (outcome: ImportDevicesOutcome): ImportDevicesOutcome => {
      const durationMs = Math.round(performance.now() - startedAt);
      const { position, lines } = end?.to ?? job;
      this.logger.info({ appId, jobId, outcome, position, lines, durationMs }, 'devices.imported');
      return outcome;
    };
    for await (const stretch of oneAhead(readStretches(this.files, appId, job))) {
      if (!(await this.#write({ appId, jobId }, stretch, failed))) return finish('taken');
      end = stretch;
      failed += stretch.read.errors.length;
      if (stretch.read.failure !== null) return finish('failed');
      if (stretch.isLast) return finish('done');
      if (signal.aborted || performance.now() - startedAt >= TURN_MS) return finish('unfinished');
    }
    return finish('taken');
  }

  /** @returns false when the stretch is somebody else's */
  async #write(key: { appId: string; jobId: string }, stretch: Stretch, failedBefore: number): Promise<boolean> {
    const { read, isLast, to } = stretch;
    return inRetriedTransaction(this.database, async (executor) => {
      if (!(await this.files.lock(executor, key, stretch.from))) return false;
      const now = this.clock.now();
      const { counts, errors } = await this.#import(executor, key.appId, read, now);
      const hasEnded = isLast || read.failure !== null;
      const wakeAt = new Date(now.getTime() + (hasEnded ? this.config.retentionDays * DAY_MS : FORSAKEN_AFTER_MS));
      const all = [...read.errors, ...errors].sort((one, other) => one.line - other.line);
      await this.files.advance(executor, key, {
        ...to,
        ...counts,
        skipped: read.skipped,
        failed: all.length,
        errors: all.slice(0, Math.max(0, MOST_ERRORS - failedBefore)),
        isLast,
        failure: read.failure,
        now,
        wakeAt,
      });
      return true;
    });
  }

  async #import(
    executor: Executor,
    appId: string,
    { devices: read }: ReadRecords,
    now: Date,
  ): Promise<{ counts: Pick<ImportCounts, 'created' | 'updated' | 'unchanged'>; errors: LineError[] }> {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    if (read.length === 0) return { counts, errors: [] };
    const guests = read.filter(({ device }) => device.userId === null).map(({ device }) => device);
    const owners = await this.imports.findOwners(
      executor,
      appId,
      guests.map(({ registration }) => registration),
    );
    const ownerOf = new Map(guests.map((device, place) => [device, owners.get(place) ?? guestOf(device)]));
    const userOf = (device: ImportedDevice): string => device.userId ?? ownerOf.get(device) ?? guestOf(device);
    const users = mergeUsers(read.map(({ device }) => ({ userId: userOf(device), device })));
    const { changed, refused } = await this.imports.importUsers(executor, appId, users, { now, mostTags: MOST_TAGS });
    const errors = read.flatMap(({ line, device }): LineError[] => {
      const message = refused.get(userOf(device));
      return message === undefined ? [] : [{ line, message }];
    });
    const named = mergeDevices(
      read.filter(({ device }) => !refused.has(userOf(device))),
      userOf,
    );
    const devices = named.map(({ device }) => device);
    const outcomes = await this.imports.importDevices(executor, appId, devices, now);
    for (const { device, lines } of named) {
      const outcome = outcomes.get(device.installationId) ?? 'unchanged';
      const isUserNews = changed.has(device.userId) && outcome === 'unchanged';
      const counted = isUserNews ? 'updated' : outcome;
      counts[counted] += 1;
      // A line that a later one replaced made the device, and the later one changed it.
      counts[counted === 'created' ? 'updated' : counted] += lines.length - 1;
    }
    return { counts, errors };
  }
}

/** Reads a file from where it was left, in stretches that each hold at least one record; the last one may hold none. */
async function* readStretches(
  files: DeviceImportsRepository,
  appId: string,
  job: DeviceImport,
): AsyncGenerator<Stretch, void> {
  const place: ReadingPlace = { ...job, options: job.options as unknown as StoredImportOptions };
  let records: RawRecord[] = [];
  let bytes = 0;
  const cut = (isLast: boolean): Stretch => {
    const last = records.at(-1);
    const from = place.position;
    const read = readImportRecords(place, records);
    place.position = isLast ? job.bytes : (last?.endsAt ?? place.position);
    place.lines = linesWorked(place, last);
    records = [];
    bytes = 0;
    return { from, to: { position: place.position, lines: place.lines, columns: place.columns }, read, isLast };
  };
  for await (const record of readStoredFile(files, { appId, ...job }, splitterOf(place))) {
    records.push(record);
    bytes += record.bytes?.length ?? 0;
    if (records.length >= BATCH_RECORDS || bytes >= BATCH_BYTES) yield cut(false);
  }
  yield cut(true);
}

/** The last line that is worked; of a document, how many elements are. */
function linesWorked({ kind, lines }: ReadingPlace, last: RawRecord | undefined): number {
  if (last === undefined) return lines;
  return kind === 'json' ? last.nextLine : last.nextLine - 1;
}

/** Gives what a generator yields, and begins with the next one before: both work at once. */
async function* oneAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done === true) return;
      next = source.next();
      // It is looked at when it is its turn.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return();
  }
}

/** The user of a device that nobody's name is known of: the same one whenever the token is imported. */
function guestOf({ registration: { pushType, token } }: ImportedDevice): string {
  const digest = createHash('sha256').update(`${pushType} ${token}`).digest('hex');
  return `guest-${digest.slice(0, 32)}`;
}

/** What all records together say of each user, in the order of the ids. What an earlier one says of a tag or attribute stays. */
function mergeUsers(named: readonly { userId: string; device: ImportedDevice }[]): ImportedUser[] {
  const users = new Map<string, ImportedUser & { known: Set<string> }>();
  for (const { userId, device } of named) {
    const user = users.get(userId);
    if (user === undefined) {
      const { tags, tagValues, attributes, at } = device;
      users.set(userId, {
        userId,
        tags: [...tags],
        tagValues: { ...tagValues },
        attributes: { ...attributes },
        at,
        known: new Set(tags),
      });
      continue;
    }
    for (const tag of device.tags) {
      if (user.known.has(tag)) continue;
      user.known.add(tag);
      user.tags.push(tag);
      const value = device.tagValues[tag];
      if (value !== undefined) user.tagValues[tag] = value;
    }
    user.attributes = { ...device.attributes, ...user.attributes };
    if (device.at !== null && (user.at === null || device.at > user.at)) user.at = device.at;
  }
  return [...users.values()]
    .sort((one, other) => (one.userId < other.userId ? -1 : 1))
    .map(({ userId, tags, tagValues, attributes, at }) => ({ userId, tags, tagValues, attributes, at }));
}

/** Each vendor token once, as the last line with it says. */
function mergeDevices(
  read: readonly { line: number; device: ImportedDevice }[],
  userOf: (device: ImportedDevice) => string,
): NamedDevice[] {
  const named = new Map<string, NamedDevice>();
  for (const { line, device } of read) {
    const key = keyOf(device);
    const lines = [...(named.get(key)?.lines ?? []), line];
    named.set(key, { device: toImport(device, userOf(device)), lines });
  }
  return [...named.values()];
}

/** What tells vendor tokens apart: of a browser, the endpoint. */
function keyOf({ registration: { pushType, token } }: ImportedDevice): string {
  if (pushType !== 'webpush') return `${pushType} ${token}`;
  return `${pushType} ${(JSON.parse(token) as { endpoint: string }).endpoint}`;
}

function toImport({ userId: named, registration, at }: ImportedDevice, userId: string): DeviceToImport {
  const isGuest = named === null;
  const further: JsonObject = isGuest ? { isGuest, ...registration.registration } : registration.registration;
  return { ...registration, installationId: newId(), userId, isGuest, registration: further, at };
}
