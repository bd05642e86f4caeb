import { Inject, Injectable } from '@nestjs/common';
import {
  ArchivedOrigin,
  ArchivedTemplateVersion,
  type ArchiveImportResponse,
  DraftRequest,
  NewTrackerRequest,
  SegmentRequest,
  TemplateRequest,
} from '@postrider/contracts';
import { type Clock, DomainError, InvalidRequest, isUuid, type JsonObject } from '@postrider/domain';
import { SavedTemplatesRepository } from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { SavedDrafts } from '../../drafts/saved-drafts.service';
import { TooMany } from '../../http/errors/conflicts';
import { findRuleProblems } from '../../segments/saved-rules';
import { Segments } from '../../segments/segments.service';
import { SavedTemplates } from '../../templates/saved-templates.service';
import { Trackers } from '../../trackers/trackers.service';
import { problemOfValue, refuseFirst, refuseUnstorable, requestOf, WrongLine } from './archive-lines';

/** A line of an archive: its number, its text, and what it holds. */
interface Line {
  line: number;
  value: JsonObject;
  text: string;
}

/** Counts of an answer to which a line may add. */
type SavedKind = 'segments' | 'templates' | 'templateVersions' | 'drafts' | 'trackers';

/** The application that an archive is read into, and what was read so far. */
interface SavedReading {
  appId: string;
  result: Pick<ArchiveImportResponse, SavedKind | 'kept' | 'failed' | 'problems'>;
  /** The lines of templates that are wrong, by the template's id. */
  refusedTemplates: Map<string, number>;
}

type Taken = (reading: SavedReading, line: Line) => Promise<boolean>;

/** The most lines that an answer names. */
const MOST_PROBLEMS = 100;

const TRACKER_ID = /^[0-9A-Za-z]{1,64}$/;

/**
 * Adds the segments, templates, drafts and trackers of an archive to an application. They keep their ids, which sends of
 * a backend, drafts and links name, and their times. One that exists already, by its id or its name, does not change.
 */
@Injectable()
export class ReadSaved {
  readonly #kinds = new Map<string, [SavedKind, Taken]>(
    Object.entries({
      segment: ['segments', ({ appId }, line) => this.#segment(appId, line)],
      template: ['templates', (reading, line) => this.#template(reading, line)],
      templateVersion: ['templateVersions', (reading, line) => this.#templateVersion(reading, line)],
      draft: ['drafts', ({ appId }, line) => this.#draft(appId, line)],
      tracker: ['trackers', ({ appId }, line) => this.#tracker(appId, line)],
    }),
  );

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly segments: Segments,
    private readonly templates: SavedTemplates,
    private readonly templateRows: SavedTemplatesRepository,
    private readonly drafts: SavedDrafts,
    private readonly trackers: Trackers,
  ) {}

  /**
   * Adds what a line holds and counts it. A line that is wrong is left out, and named in the result: what is saved is made
   * under the rules of its time, and these may have become stricter. A kind that is unknown here is skipped.
   *
   * @throws DomainError CONFLICT if the application has too many
   */
  async take(reading: SavedReading, kind: string, line: Line): Promise<void> {
    const [name, take] = this.#kinds.get(kind) ?? [];
    if (name === undefined || take === undefined) return;
    try {
      refuseUnstorable(line.value, line.text, line.line);
      reading.result[(await isMade(take(reading, line), line.line)) ? name : 'kept'] += 1;
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      leaveOut(reading, line, error);
      const { id } = line.value;
      if (name === 'templates' && typeof id === 'string' && isUuid(id)) reading.refusedTemplates.set(id, line.line);
    }
  }

  async #segment(appId: string, { line, value }: Line): Promise<boolean> {
    const segment = requestOf(SegmentRequest, value, line);
    refuseFirst(findRuleProblems(segment), line);
    const { id, createdAt, updatedAt } = this.#originOf(value, line);
    await this.segments.create(appId, segment, { segmentId: id, createdAt, updatedAt });
    return true;
  }

  async #template({ appId }: SavedReading, { line, value }: Line): Promise<boolean> {
    const template = requestOf(TemplateRequest, value, line);
    const { id, ...origin } = this.#originOf(value, line);
    await this.templates.create({ appId, tokenId: null }, template, { ...origin, templateId: id });
    return true;
  }

  async #templateVersion({ appId, refusedTemplates }: SavedReading, { line, value }: Line): Promise<boolean> {
    const { templateId, ...version } = requestOf(ArchivedTemplateVersion, value, line);
    if (!isUuid(templateId)) throw new WrongLine(line, 'templateId must be a UUID');
    const refusedAt = refusedTemplates.get(templateId);
    if (refusedAt !== undefined)
      throw new WrongLine(line, `is a version of the template of line ${refusedAt}, which is wrong`);
    return this.templateRows.addFormerVersion(appId, templateId, version);
  }

  async #draft(appId: string, { line, value }: Line): Promise<boolean> {
    const draft = requestOf(DraftRequest, value, line);
    const { id, ...origin } = this.#originOf(value, line);
    await this.drafts.create({ appId, tokenId: null }, draft, { ...origin, draftId: id });
    return true;
  }

  async #tracker(appId: string, { line, value }: Line): Promise<boolean> {
    const tracker = requestOf(NewTrackerRequest, value, line);
    const { createdAt, updatedAt } = this.#originOf(value, line);
    const { id } = value;
    if (typeof id !== 'string' || !TRACKER_ID.test(id)) throw new WrongLine(line, 'id must be the id of a tracker');
    return this.trackers.restore(appId, tracker, { trackerId: id, createdAt, updatedAt });
  }

  /** An object without an id, a version or times (they came with version 2 of archives) is new now. */
  #originOf(value: JsonObject, line: number): Required<ArchivedOrigin> {
    const now = this.clock.now();
    const { id, createdAt, updatedAt, version, revision } = requestOf(ArchivedOrigin, value, line);
    return {
      id: id !== undefined && isUuid(id) ? id : newId(now),
      createdAt: createdAt ?? now,
      updatedAt: updatedAt ?? createdAt ?? now,
      version: version ?? 1,
      revision: revision ?? 1,
    };
  }
}

/**
 * @returns false if there is one of that name or id already
 * @throws WrongLine; DomainError CONFLICT if the application has too many
 */
async function isMade(making: Promise<boolean>, line: number): Promise<boolean> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof WrongLine) throw error;
    if (error instanceof InvalidRequest) refuseFirst(error.options.details ?? [], line);
    const problem = problemOfValue(error);
    if (problem !== null) throw new WrongLine(line, problem);
    if (!(error instanceof DomainError) || error.code !== 'CONFLICT') throw error;
    if (error instanceof TooMany) throw atLine(line, error);
    return false;
  }
}

/** Counts a line that is wrong, and names it if not too many are named. */
function leaveOut({ result }: SavedReading, { line }: Line, error: InvalidRequest): void {
  result.failed += 1;
  if (result.problems.length >= MOST_PROBLEMS) return;
  result.problems.push({ line, message: error.options.details?.[0]?.message ?? error.message });
}

function atLine(line: number, { code, message }: DomainError): DomainError {
  return new DomainError(code, message, { details: [{ path: `line ${line}`, message: 'is one too many' }] });
}
