import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationChangesRequest, type ArchiveImportResponse, knownSettingsOf } from '@postrider/contracts';
import { InvalidRequest, isJsonObject, type JsonObject } from '@postrider/domain';
import {
  ArchiveRepository,
  type Database,
  DATABASE,
  infiniteTimeOf,
  inTransaction,
  isBeingErased,
} from '@postrider/persistence';
import { CONFIG, type GatewayConfig, RecordSplitter } from '@postrider/platform';
import { openFile } from '../../imports/open-file';
import { Segments } from '../../segments/segments.service';
import { Applications } from '../applications/applications.service';
import { problemOfValue, refuseUnstorable, requestOf, WrongLine } from './archive-lines';
import { ReadSaved } from './read-saved.service';
import { ARCHIVE_VERSION, NOTHING } from './write-archive.service';

/** Rows of one kind that are written in one transaction. */
interface Batch {
  kind: 'user' | 'device';
  rows: { line: number; row: JsonObject }[];
  /** The characters of their lines. */
  size: number;
}

/** What was read so far. */
interface Reading {
  appId: string;
  /** When the application was made: one of the same id that is made later gets nothing of this archive. */
  appCreatedAt: Date;
  result: ArchiveImportResponse;
  /** The lines of templates that are wrong, by the template's id. */
  refusedTemplates: Map<string, number>;
  batch: Batch | null;
  /** The number of lines by their kind. */
  lines: Map<string, number>;
  hasBegun: boolean;
  hasEnded: boolean;
}

const AT_ONCE = 1_000;
/** Lines of this many characters are written, however few they are: a thousand of the longest would not fit into memory. */
const SIZE_AT_ONCE = 8_388_608;
const LARGEST_LINE = 1_048_576;
/** More kinds than later versions will have. */
const MOST_KINDS = 100;
/** Archives of version 1 have no drafts, no trackers and no former versions of templates. */
const VERSIONS = [1, ARCHIVE_VERSION];

/** Reads what `WriteArchive` wrote, into an application of this installation. */
@Injectable()
export class ReadArchive {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'maxImportBytes'>,
    private readonly applications: Applications,
    private readonly saved: ReadSaved,
    private readonly archive: ArchiveRepository,
    private readonly segments: Segments,
  ) {}

  /**
   * Adds the content of the archive, a thousand rows per transaction, fewer if they are long, and applies its settings. Existing
   * rows do not change: a file that was interrupted, or failed, is simply sent again. A wrong segment, template, draft or tracker
   * is left out, and named in the answer.
   *
   * @param isPacked true if the upload is declared as gzip; undeclared gzip is unpacked too
   * @throws DomainError NOT_FOUND, also if the application is deleted meanwhile; CONFLICT if that has begun, or if the
   * application would have too many segments, templates or drafts; InvalidRequest that names the line if it is not an
   * archive, a line is not UTF-8, its settings, a user or a device are wrong, or it ends too early or lacks lines that its
   * last line counts. Rows from before the bad line stay
   */
  async read(appId: string, sent: Readable, isPacked: boolean): Promise<ArchiveImportResponse> {
    const appCreatedAt = await this.applications.checkStays(appId);
    const result = { ...NOTHING, kept: 0, changedSettings: false, failed: 0, problems: [] };
    const begun = { batch: null, lines: new Map<string, number>(), hasBegun: false, hasEnded: false };
    const reading: Reading = { appId, appCreatedAt, result, refusedTemplates: new Map(), ...begun };
    const content = await openFile(sent, { isPacked, most: this.config.maxImportBytes });
    const splitter = new RecordSplitter({ offset: 0, line: 1, isQuoted: false, maxBytes: LARGEST_LINE });
    for await (const piece of content) {
      for (const record of splitter.push(piece)) await this.#take(reading, record.line, record.bytes);
    }
    for (const record of splitter.end()) await this.#take(reading, record.line, record.bytes);
    await this.#write(reading);
    // Segments are in front of the devices, and are measured within seconds.
    if (result.devices > 0) await this.segments.measureSoon(appId);
    if (!reading.hasEnded) throw new InvalidRequest([{ path: '', message: 'ends before its last line' }]);
    return reading.result;
  }

  async #take(reading: Reading, line: number, bytes: Buffer | null): Promise<void> {
    const text = textOf(bytes, line);
    if (text === '') return;
    const [kind, value] = membersOf(text, line);
    if (!reading.hasBegun) {
      begin(reading, line, kind, value);
      return;
    }
    count(reading, line, kind);
    if (kind === 'user' || kind === 'device') {
      refuseUnstorable(value, text, line);
      return this.#collect(reading, { kind, line, row: value, size: text.length });
    }
    await this.#write(reading);
    await this.#checkStays(reading);
    if (kind === 'settings') {
      refuseUnstorable(value, text, line);
      await this.#takeSettings(reading, line, value);
    } else if (kind === 'end') end(reading, line, value);
    else await this.saved.take(reading, kind, { line, value, text });
    // An unknown kind of a later version is skipped. If that matters, the archive has another version.
  }

  async #takeSettings(reading: Reading, line: number, value: JsonObject): Promise<void> {
    const changes = requestOf(ApplicationChangesRequest, knownSettingsOf(value), line);
    await this.applications.change(reading.appId, changes);
    reading.result.changedSettings = true;
  }

  async #collect(
    reading: Reading,
    { kind, line, row, size }: { kind: Batch['kind']; line: number; row: JsonObject; size: number },
  ): Promise<void> {
    const infinite = infiniteTimeOf(row);
    if (infinite !== null) throw new WrongLine(line, `${infinite} must be a time, not infinity`);
    if (reading.batch !== null && isFull(reading.batch, kind, size)) await this.#write(reading);
    reading.batch ??= { kind, rows: [], size: 0 };
    reading.batch.rows.push({ line, row });
    reading.batch.size += size;
  }

  async #write(reading: Reading): Promise<void> {
    const { batch } = reading;
    if (batch === null) return;
    reading.batch = null;
    await this.#checkStays(reading);
    await this.#store(reading, batch);
  }

  /** A file may arrive for hours: the application is asked for again before each step. */
  async #checkStays({ appId, appCreatedAt }: Reading): Promise<void> {
    await this.applications.checkStays(appId, appCreatedAt);
  }

  /** Writes the rows before the first one that cannot be stored. @throws WrongLine that names it */
  async #store(reading: Reading, { kind, rows }: Pick<Batch, 'kind' | 'rows'>): Promise<void> {
    const { appId, result } = reading;
    const values = rows.map(({ row }) => row);
    try {
      const added = await inTransaction(this.database, (executor) =>
        kind === 'user'
          ? this.archive.addUsers(executor, appId, values)
          : this.archive.addDevices(executor, appId, values),
      );
      result[kind === 'user' ? 'users' : 'devices'] += added;
      result.kept += rows.length - added;
    } catch (error) {
      const problem = isBeingErased(error) ? null : problemOfValue(error);
      if (problem === null) throw error;
      // Rows of an application that was deleted this moment are refused as well.
      await this.#checkStays(reading);
      const [{ line } = { line: 0 }, ...others] = rows;
      if (others.length === 0) throw new WrongLine(line, problem);
      // PostgreSQL does not say which of the rows it refuses.
      const half = Math.ceil(rows.length / 2);
      await this.#store(reading, { kind, rows: rows.slice(0, half) });
      await this.#store(reading, { kind, rows: rows.slice(half) });
    }
  }
}

/** True if a line of this kind and size does not belong into the batch any more. */
function isFull(batch: Batch, kind: Batch['kind'], size: number): boolean {
  return batch.kind !== kind || batch.rows.length >= AT_ONCE || batch.size + size > SIZE_AT_ONCE;
}

function begin(reading: Reading, line: number, kind: string, value: JsonObject): void {
  if (kind !== 'archive') throw new WrongLine(line, 'is not the beginning of an archive');
  if (!VERSIONS.includes(value.version as number)) {
    throw new WrongLine(line, `has a version other than ${VERSIONS.join(' and ')}`);
  }
  reading.hasBegun = true;
}

/** Counts the lines of a kind, which this version need not know. */
function count({ lines }: Reading, line: number, kind: string): void {
  const before = lines.get(kind);
  if (before === undefined && lines.size >= MOST_KINDS)
    throw new WrongLine(line, `is of another kind than the ${MOST_KINDS} before it: no archive has so many`);
  lines.set(kind, (before ?? 0) + 1);
}

/** Compares the counts of the last line, `{ "users": 7, … }`, with the lines before it: a file may have lost some. */
function end(reading: Reading, line: number, counts: JsonObject): void {
  for (const [name, count] of Object.entries(counts)) {
    const read = reading.lines.get(name.replace(/s$/, '')) ?? 0;
    if (typeof count === 'number' && count > read) {
      throw new WrongLine(
        line,
        `counts ${count} ${name}, and the lines before it hold ${read}: a part of the file is missing`,
      );
    }
  }
  reading.hasEnded = true;
}

/** The text of a line, without blanks around it. */
function textOf(bytes: Buffer | null, line: number): string {
  if (bytes === null) throw new WrongLine(line, `is longer than ${LARGEST_LINE} bytes`);
  // Decoding would put other characters in the place of bytes that are none.
  if (!isUtf8(bytes)) throw new WrongLine(line, 'is not UTF-8');
  return bytes.toString('utf8').trim();
}

/** The only member of a line. */
function membersOf(text: string, line: number): [string, JsonObject] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WrongLine(line, 'is not JSON');
  }
  const [member, ...others] = Object.entries((value ?? {}) as Record<string, unknown>);
  if (member === undefined || others.length > 0 || !isJsonObject(member[1])) {
    throw new WrongLine(line, 'is not a line of an archive');
  }
  return [member[0], member[1]];
}
