import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MOST_TAGS } from '@postrider/contracts';
import { type Clock, DAY_MS } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DeviceImportsRepository,
  doNotWaitForDisk,
  type Executor,
  type FileJobKey,
  type ImportCounts,
  type ImportTarget,
  ImportsRepository,
  inRetriedTransaction,
  inTransaction,
  isCollision,
  type LineError,
  SegmentsRepository,
  type TokenValidation,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { dependsOnHolder, groupByToken, type LinesByToken, mergeLines, type OwnedLines, ownLines } from './merge-lines';
import type { ReadRecords } from './read-import-records';
import { joinNamed, linesOfOtherTokens, linesOfOtherUsers, type NamedByStretch } from './split-stretch';

/** If no stretch was written for this long, recovery takes the worker for dead. */
const RECOVERED_AFTER_MS = 30_000;
/** The most lines of a file whose errors are stored. */
const MOST_ERRORS = 1_000_000;

/**
 * After a stretch in which some devices existed already, this many stretches look for devices before they insert them.
 */
const LOOKED_FOR = 8;

/**
 * After this time in which the stretch before does not hold the file, a stretch is taken back and written after it. The
 * one before may wait for a row that a third transaction has, which waits for a row of this stretch; PostgreSQL cannot
 * see that this stretch waits.
 */
const MOST_WAIT_MS = 5_000;

/**
 * The most stretches that one worker writes beside those before them. Each has a connection while it waits for the
 * stretch before, which may need one too.
 */
const MOST_BESIDE = 2;

/**
 * After a file that has changed this many devices, saved segments are measured again. Somebody who sends a few devices
 * each minute would else keep PostgreSQL counting.
 */
const MANY_CHANGED = 100;

/** A stretch of a file: its beginning, its end, and its records. */
export interface Stretch {
  from: number;
  to: { position: number; lines: number; columns: string[] | null };
  read: ReadRecords;
  isLast: boolean;
}

/** A file that is being imported. */
export interface FileInWork {
  key: FileJobKey;
  /** The same for files with the same bytes that are read in the same way; null: unknown. */
  fingerprint: number | null;
  /**
   * How many further stretches look for devices before they insert them (`LOOKED_FOR`), and for the owners of those
   * devices before they write anything.
   */
  lookFirst: number;
  /**
   * True until a stretch of it is written: nobody knows yet whether its devices exist, so their owners are looked for
   * before anything is written. Two stretches that move devices from one's users to the other's would otherwise wait for each
   * other's rows, which PostgreSQL cannot see.
   */
  isUnknown: boolean;
}

/** The file at the beginning of a turn. @param counts of the lines before */
export function fileInWork(
  key: FileJobKey,
  { created, updated, unchanged, fingerprint }: Imported['counts'] & Pick<FileInWork, 'fingerprint'>,
): FileInWork {
  const isUnknown = created + updated + unchanged === 0;
  return { key, fingerprint, lookFirst: updated + unchanged > created ? LOOKED_FOR : 0, isUnknown };
}

/** A stretch that is being written. */
export interface StretchInWriting {
  /** The vendor tokens that it names. */
  tokens: LinesByToken;
  /**
   * The users of its lines, once they are known: at once if every line names its user, and its devices are expected to
   * be new. The owners of devices that exist are among them.
   */
  users: Promise<ReadonlySet<string>>;
  /** Resolves when its transaction holds the file, so that the next one may ask for it; at the latest when it ends. */
  holdsFile: Promise<void>;
  /** Resolves to true when it is written; to false if it is not the turn of this worker to write it. */
  isWritten: Promise<boolean>;
}

/** A stretch that is to be written. */
interface Task {
  file: FileInWork;
  stretch: Stretch & { validation: TokenValidation };
  groups: LinesByToken;
  /** The users of its lines, and the owners of their devices; added when they are found. */
  users: Set<string>;
  /** To be called once all users of its lines are found. */
  tellUsers: () => void;
  /** To be called once its transaction holds the file. */
  tellHold: () => void;
}

/** The results of importing lines. */
interface Imported {
  counts: Pick<ImportCounts, 'created' | 'updated' | 'unchanged'>;
  refused: LineError[];
}

/** The position of the file is not the beginning of the stretch: the transaction is rolled back. */
class NotItsTurn extends Error {}

/**
 * Writes the devices of a stretch, its counts and the new position in the file in one transaction. Only the last
 * stretch of a file waits until it is on disk, and by then all earlier ones are: a file that is `done` stays `done`.
 *
 * A stretch may be written while those before it are being written. Lines that share neither a token nor a user with
 * the stretches before are written first. Then the transaction waits until the file stands where the stretch begins, and
 * writes the other lines. So PostgreSQL commits the stretches in order, and each token and each user gets their lines
 * in the order of the file.
 */
@Injectable()
export class WriteStretch {
  /** How many stretches, of all files, are being written beside those before them. */
  #beside = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly files: DeviceImportsRepository,
    private readonly imports: ImportsRepository,
    private readonly segments: SegmentsRepository,
  ) {}

  /**
   * Begins to write a stretch.
   * @param before the stretches before it that may still be being written, in the order of the file
   */
  begin(
    file: FileInWork,
    stretch: Stretch & { validation: TokenValidation },
    before: readonly StretchInWriting[],
  ): StretchInWriting {
    const groups = groupByToken(stretch.read.devices);
    const found = announcement();
    const held = announcement();
    const task = { file, stretch, groups, users: namedUsers(stretch), tellUsers: found.tell, tellHold: held.tell };
    if (!looksForOwners(file) && allNameUsers(stretch)) found.tell();
    const isWritten = this.#write(task, before).finally(() => {
      found.tell();
      held.tell();
    });
    // Callers that await it later still get the error.
    isWritten.catch(() => undefined);
    return { tokens: groups, users: found.told.then(() => task.users), holdsFile: held.told, isWritten };
  }

  async #write(task: Task, before: readonly StretchInWriting[]): Promise<boolean> {
    const last = before.at(-1);
    if (last !== undefined) {
      // Awaited before a connection is taken: the stretches before may need that connection.
      const users = await Promise.all(before.map((one) => one.users));
      const named = joinNamed(
        before.map(({ tokens }, place) => ({ tokens, users: users[place] as ReadonlySet<string> })),
      );
      if (await this.#writeBeside(task, named, last.holdsFile)) return true;
      if (!(await last.isWritten)) return false;
    }
    return inRetriedTransaction(this.database, async (executor, collisions) => {
      if (collisions > 0) task.file.lookFirst = LOOKED_FOR;
      const told = await this.files.hold(executor, task.file.key, task.stretch.from);
      if (told === null) return false;
      task.tellHold();
      await this.#prepare(executor, task);
      const now = this.clock.now();
      const owned = await this.#own(executor, task, task.groups);
      task.tellUsers();
      await this.#advance(executor, task, { told, now, imported: [await this.#import(executor, task, owned, now)] });
      return true;
    });
  }

  /**
   * @param before what the stretches before name
   * @param mayAskForFile resolves when the stretch before holds the file
   * @returns false if nothing was written, and the stretch is to be written after the stretch before
   */
  async #writeBeside(task: Task, before: NamedByStretch, mayAskForFile: Promise<void>): Promise<boolean> {
    if (this.#beside >= MOST_BESIDE) return false;
    const { file, stretch, groups } = task;
    this.#beside += 1;
    try {
      await inTransaction(this.database, async (executor) => {
        await this.#prepare(executor, task);
        const now = this.clock.now();
        const found = await this.#own(executor, task, linesOfOtherTokens(groups, before));
        if (found.size === groups.size) task.tellUsers();
        const others = linesOfOtherUsers(groups, found, before);
        const first = await this.#import(executor, task, others, now);
        await waitForTurn(mayAskForFile);
        const told = await this.files.hold(executor, file.key, stretch.from);
        if (told === null) throw new NotItsTurn();
        task.tellHold();
        const owned = await this.#own(executor, task, without(groups, found));
        task.tellUsers();
        const rest = new Map([...without(found, others), ...owned]);
        const second = await this.#import(executor, task, rest, now);
        await this.#advance(executor, task, { told, now, imported: [first, second] });
      });
      return true;
    } catch (error) {
      if (error instanceof NotItsTurn || isCollision(error)) return false;
      throw error;
    } finally {
      this.#beside -= 1;
    }
  }

  async #prepare(executor: Executor, { stretch }: Task): Promise<void> {
    // A crash of PostgreSQL undoes the devices together with the position, and the stretch is imported again.
    if (!hasEnded(stretch)) await doNotWaitForDisk(executor);
  }

  /** Finds the user of each line, also of lines that name none, and the owners of devices that are looked for. */
  async #own(executor: Executor, { file, users }: Task, groups: LinesByToken): Promise<Map<string, OwnedLines>> {
    const looksForAll = looksForOwners(file);
    const asked = [...groups].filter(([, lines]) => looksForAll || dependsOnHolder(lines));
    const tokens = asked.flatMap(([, [first]]) => (first === undefined ? [] : [first.device.registration]));
    const holders = await this.imports.findHolders(executor, targetOf(file), tokens);
    const holderOf = new Map([...holders].map(([place, holder]) => [asked[place]?.[0], holder]));
    const owned = new Map([...groups].map(([token, lines]) => [token, ownLines(lines, holderOf.get(token))]));
    for (const { userIds, holder } of owned.values()) {
      for (const userId of userIds) users.add(userId);
      if (holder !== undefined) users.add(holder.userId);
    }
    return owned;
  }

  async #import(
    executor: Executor,
    { file }: Task,
    owned: ReadonlyMap<string, OwnedLines>,
    now: Date,
  ): Promise<Imported> {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    if (owned.size === 0) return { counts, refused: [] };
    const { devices, users } = mergeLines([...owned.values()], now);
    const { changed, tags, refused } = await this.imports.importUsers(executor, targetOf(file), users, {
      now,
      mostTags: MOST_TAGS,
    });
    const asked = devices.map(({ device }) => device);
    const areThere = file.lookFirst > 0 || [...owned.values()].some(({ holder }) => holder !== undefined);
    const owners = areThere ? null : tags;
    const outcomes = await this.imports.importDevices(executor, { ...targetOf(file), now, owners }, asked);
    file.isUnknown = false;
    file.lookFirst = outcomes.size > 0 ? LOOKED_FOR : Math.max(0, file.lookFirst - 1);
    for (const { device, lines } of devices) {
      const outcome = outcomes.get(device.installationId) ?? 'created';
      const isUserNews = changed.has(device.userId) && outcome === 'unchanged';
      const counted = isUserNews ? 'updated' : outcome;
      counts[counted] += 1;
      // The first line of a token made the device, and the later ones changed it.
      counts[counted === 'created' ? 'updated' : counted] += lines - 1;
    }
    return {
      counts,
      refused: refused.map(({ line, message }) => ({ line, message: `${message}; they stay as they are` })),
    };
  }

  /** @param told how many lines before this stretch are wrong or incomplete */
  async #advance(
    executor: Executor,
    { file, stretch }: Task,
    { told, now, imported }: { told: number; now: Date; imported: readonly Imported[] },
  ): Promise<void> {
    const { read, validation, isLast, to } = stretch;
    const keptMs = hasEnded(stretch) ? this.config.retentionDays * DAY_MS : RECOVERED_AFTER_MS;
    const notices = byLine([...read.notices, ...imported.flatMap(({ refused }) => refused)]);
    const errors = [...read.errors, ...notices].sort((one, other) => one.line - other.line);
    const sumOf = (outcome: keyof Imported['counts']): number =>
      imported.reduce((sum, { counts }) => sum + counts[outcome], 0);
    const changed = await this.files.advance(executor, file.key, {
      ...to,
      created: sumOf('created'),
      updated: sumOf('updated'),
      unchanged: sumOf('unchanged'),
      ...validation,
      skipped: read.skipped,
      failed: read.errors.length,
      incomplete: notices.length,
      errors: errors.slice(0, Math.max(0, MOST_ERRORS - told)),
      isLast,
      failure: read.failure,
      now,
      wakeAt: new Date(now.getTime() + keptMs),
    });
    if (hasEnded(stretch) && changed >= MANY_CHANGED) await this.segments.measureSoon(file.key.appId, now, executor);
  }
}

function targetOf({ key, fingerprint }: FileInWork): ImportTarget {
  return { appId: key.appId, file: fingerprint };
}

/** Returns the entries of `all` whose keys are not in `others`. */
function without<T>(all: ReadonlyMap<string, T>, others: ReadonlyMap<string, unknown>): Map<string, T> {
  return new Map([...all].filter(([key]) => !others.has(key)));
}

/** A promise that `tell` resolves. */
function announcement(): { told: Promise<void>; tell: () => void } {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  return { told, tell };
}

/** Waits until the stretch before holds the file. @throws NotItsTurn after `MOST_WAIT_MS` */
async function waitForTurn(mayAskForFile: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const isLate = pause(MOST_WAIT_MS, true, patience).catch(() => false);
  const isHeld = mayAskForFile.then(() => false);
  const wasLate = await Promise.race([isHeld, isLate]);
  patience.abort();
  if (wasLate) throw new NotItsTurn();
}

/** True if a stretch looks for the owners of all its devices before it writes anything. */
function looksForOwners({ lookFirst, isUnknown }: FileInWork): boolean {
  return lookFirst > 0 || isUnknown;
}

function namedUsers({ read }: Stretch): Set<string> {
  return new Set(read.devices.flatMap(({ device }) => device.userId ?? []));
}

function allNameUsers({ read }: Stretch): boolean {
  return read.devices.every(({ device }) => device.userId !== null);
}

function hasEnded({ isLast, read }: Stretch): boolean {
  return isLast || read.failure !== null;
}

/** Joins the notices of each line into one text. */
function byLine(notices: readonly LineError[]): LineError[] {
  const messages = new Map<number, string>();
  for (const { line, message } of notices) {
    const before = messages.get(line);
    messages.set(line, before === undefined ? message : `${before}; ${message}`);
  }
  return [...messages].map(([line, message]) => ({ line, message }));
}
