import { Inject, Injectable } from '@nestjs/common';
import { MOST_TAGS } from '@postrider/contracts';
import { type Clock, DAY_MS } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DeviceImportsRepository,
  doNotWaitForDisk,
  type Executor,
  type ImportCounts,
  ImportsRepository,
  inRetriedTransaction,
  type LineError,
  type TokenHolder,
  type TokenValidation,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { dependsOnHolder, type DeviceLine, groupByToken, type LinesByToken, mergeLines } from './merge-lines';
import type { ReadRecords } from './read-import-records';

/** A worker that has not come back for more after this time is taken for dead. */
const FORSAKEN_AFTER_MS = 30_000;
/** Of how many lines of a file it is told what is wrong with them. */
const MOST_ERRORS = 1_000_000;

/** A stretch of a file: where it begins and ends, and what it says. */
export interface Stretch {
  from: number;
  to: { position: number; lines: number; columns: string[] | null };
  read: ReadRecords;
  isLast: boolean;
}

/**
 * Writes the devices of a stretch, its counts and how far the file is worked in one transaction. Only the last one of a file waits
 * until it is on disk, and all before it are by then: a file that is `done` stays so.
 */
@Injectable()
export class WriteStretch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly files: DeviceImportsRepository,
    private readonly imports: ImportsRepository,
  ) {}

  /**
   * @param toldBefore lines of the file before this stretch of which it is told what is wrong with them
   * @returns how many more are told of; null when the stretch is somebody else's
   */
  async write(
    key: { appId: string; jobId: string },
    stretch: Stretch & { validation: TokenValidation },
    toldBefore: number,
  ): Promise<number | null> {
    const { read, validation, isLast, to } = stretch;
    return inRetriedTransaction(this.database, async (executor) => {
      if (!(await this.files.lock(executor, key, stretch.from))) return null;
      const hasEnded = isLast || read.failure !== null;
      // A crash of PostgreSQL takes the devices back together with the position, and the stretch is worked again.
      if (!hasEnded) await doNotWaitForDisk(executor);
      const now = this.clock.now();
      const { counts, refused } = await this.#import(executor, key.appId, read.devices, now);
      const wakeAt = new Date(now.getTime() + (hasEnded ? this.config.retentionDays * DAY_MS : FORSAKEN_AFTER_MS));
      const notices = byLine([...read.notices, ...refused]);
      const told = [...read.errors, ...notices].sort((one, other) => one.line - other.line);
      await this.files.advance(executor, key, {
        ...to,
        ...counts,
        ...validation,
        skipped: read.skipped,
        failed: read.errors.length,
        incomplete: notices.length,
        errors: told.slice(0, Math.max(0, MOST_ERRORS - toldBefore)),
        isLast,
        failure: read.failure,
        now,
        wakeAt,
      });
      return told.length;
    });
  }

  async #import(
    executor: Executor,
    appId: string,
    read: readonly DeviceLine[],
    now: Date,
  ): Promise<{ counts: Pick<ImportCounts, 'created' | 'updated' | 'unchanged'>; refused: LineError[] }> {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    if (read.length === 0) return { counts, refused: [] };
    const groups = groupByToken(read);
    const { devices, users } = mergeLines(groups, await this.#findHolders(executor, appId, groups), now);
    const { changed, refused } = await this.imports.importUsers(executor, appId, users, { now, mostTags: MOST_TAGS });
    const asked = devices.map(({ device }) => device);
    const outcomes = await this.imports.importDevices(executor, appId, asked, now);
    for (const { device, lines } of devices) {
      const outcome = outcomes.get(device.installationId) ?? 'created';
      const isUserNews = changed.has(device.userId) && outcome === 'unchanged';
      const counted = isUserNews ? 'updated' : outcome;
      counts[counted] += 1;
      // The first line of a token made the device, and the later ones changed it.
      counts[counted === 'created' ? 'updated' : counted] += lines - 1;
    }
    const without = refused.map(({ line, message }) => ({ line, message: `${message}; they stay as they are` }));
    return { counts, refused: without };
  }

  async #findHolders(
    executor: Executor,
    appId: string,
    groups: LinesByToken,
  ): Promise<Map<readonly DeviceLine[], TokenHolder>> {
    const asked = groups.filter(dependsOnHolder);
    const tokens = asked.flatMap(([first]) => (first === undefined ? [] : [first.device.registration]));
    const found = await this.imports.findHolders(executor, appId, tokens);
    return new Map([...found].flatMap(([place, holder]) => (asked[place] ? [[asked[place], holder]] : [])));
  }
}

/** What is to be told of each line, in one text. */
function byLine(notices: readonly LineError[]): LineError[] {
  const messages = new Map<number, string>();
  for (const { line, message } of notices) {
    const before = messages.get(line);
    messages.set(line, before === undefined ? message : `${before}; ${message}`);
  }
  return [...messages].map(([line, message]) => ({ line, message }));
}
