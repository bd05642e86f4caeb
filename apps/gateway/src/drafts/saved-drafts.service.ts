import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  type DraftChangesRequest,
  type DraftRequest,
  type DraftResponse,
  type DraftsQuery,
  type DraftsResponse,
  type DraftSummaryResponse,
  makeTimedCursor,
  timedPlaceOf,
  type ValidatedSend,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import {
  type DraftSave,
  type DraftSummary,
  type Executor,
  type SavedDraft,
  SavedDraftsRepository,
  type SentDraft,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import type { Caller } from '../auth/caller';
import { TooMany, writeUnlessTaken } from '../http/errors/conflicts';

/** What a draft of another installation keeps here. */
export type DraftOrigin = Pick<DraftSummary, 'draftId' | 'revision' | 'createdAt' | 'updatedAt'>;

const TAKEN = { message: 'A draft with this id exists' };
/** How many drafts an application keeps. */
const MOST_DRAFTS = 1_000;
const LONGEST_NAME = 255;
const COPY = ' (copy)';

type Author = Pick<Caller, 'appId' | 'tokenId'>;

/** The messages that people are writing. */
@Injectable()
export class SavedDrafts {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly drafts: SavedDraftsRepository,
  ) {}

  /**
   * @param origin of a draft from another installation
   * @throws DomainError CONFLICT if there are too many, or the id is taken
   */
  async create(caller: Author, request: DraftRequest, origin?: DraftOrigin): Promise<DraftResponse> {
    const at = origin?.updatedAt ?? this.clock.now();
    const save = { ...saveOf(origin?.draftId ?? newId(at), request, at, caller), ...(origin && { from: origin }) };
    const isMade = await writeUnlessTaken(TAKEN, () => this.drafts.insert(caller.appId, save, MOST_DRAFTS));
    if (!isMade) throw new TooMany(MOST_DRAFTS, 'drafts');
    return this.find(caller.appId, save.draftId);
  }

  /**
   * Saves a draft if it still has the revision that the change is based on.
   *
   * @throws DomainError NOT_FOUND; EDIT_CONFLICT with the present draft if somebody else has saved it since
   */
  async replace(
    caller: Caller,
    draftId: string,
    { revision, ...request }: DraftChangesRequest,
  ): Promise<DraftResponse> {
    if (!isUuid(draftId)) throw unknownDraft();
    const save = saveOf(draftId, request, this.clock.now(), caller);
    const saved = await this.drafts.update(caller.appId, save, revision);
    if (saved !== null) return show(saved);
    throw new DomainError('EDIT_CONFLICT', SAVED_SINCE, { current: await this.find(caller.appId, draftId) });
  }

  /** Makes a draft with the same content. @throws DomainError NOT_FOUND; CONFLICT if there are too many */
  async duplicate(caller: Caller, draftId: string, name: string | undefined): Promise<DraftResponse> {
    const draft = await this.find(caller.appId, draftId);
    return this.create(caller, { name: name ?? copyOf(draft.name), message: draft.message });
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, draftId: string): Promise<DraftResponse> {
    const found = isUuid(draftId) ? await this.drafts.find(appId, draftId) : null;
    if (found === null) throw unknownDraft();
    return show(found);
  }

  /** Lists the drafts of an application, the last saved first. */
  async list(appId: string, { name, limit, cursor }: DraftsQuery): Promise<DraftsResponse> {
    const place = timedPlaceOf(cursor);
    const after = place && { updatedAt: place.at, draftId: place.id };
    const found = await this.drafts.list(appId, { name, after, limit: limit + 1 });
    const { entries, nextCursor } = cutList(found, limit, (last) => makeTimedCursor(last.updatedAt, last.draftId));
    return { drafts: entries.map(summaryOf), nextCursor };
  }

  /** @throws DomainError NOT_FOUND; EDIT_CONFLICT if it has another revision than the named one */
  async remove(appId: string, draftId: string, revision: number | undefined): Promise<void> {
    if (!isUuid(draftId)) throw unknownDraft();
    if (await this.drafts.delete(appId, { draftId, revision })) return;
    throw new DomainError('EDIT_CONFLICT', SAVED_SINCE, { current: await this.find(appId, draftId) });
  }

  /**
   * Deletes the drafts that messages were made from, in the transaction that accepts the messages.
   *
   * @throws DomainError EDIT_CONFLICT if one was saved since, sent or deleted
   */
  async clear(executor: Executor, appId: string, messages: readonly ValidatedSend[]): Promise<void> {
    for (const { draft, path } of sentDrafts(messages)) {
      if (await this.drafts.clear(executor, appId, draft)) continue;
      // On the same connection: requests that wait for a second one while they hold theirs would wait for each other.
      throw changed(await this.drafts.find(appId, draft.draftId, executor), path);
    }
  }

  /** Checks that `clear` would delete these drafts. @throws DomainError EDIT_CONFLICT like `clear` */
  async check(appId: string, messages: readonly ValidatedSend[]): Promise<void> {
    for (const { draft, path } of sentDrafts(messages)) {
      const found = await this.drafts.find(appId, draft.draftId);
      const isThere = found !== null && (draft.revision ?? found.revision) === found.revision;
      if (!isThere) throw changed(found, path);
    }
  }
}

const SAVED_SINCE = 'Somebody else has saved this draft since; nothing was changed';
const SENT_ANOTHER = 'Somebody else has saved this draft since; nothing was sent';

/**
 * Returns the drafts that messages name, each once. They are sorted, so that two requests that name the same drafts
 * do not deadlock.
 */
function sentDrafts(messages: readonly ValidatedSend[]): { draft: SentDraft; path: string }[] {
  const sent = new Map<string, { draft: SentDraft; path: string }>();
  for (const { draft, path } of messages) {
    if (draft !== undefined && !sent.has(draft.draftId)) sent.set(draft.draftId, { draft, path });
  }
  return [...sent.keys()].sort().flatMap((draftId) => sent.get(draftId) ?? []);
}

/** @param current the draft now; null: it is gone */
function changed(current: SavedDraft | null, path: string): DomainError {
  const message = current ? SENT_ANOTHER : 'The draft is gone: it was sent or deleted. Nothing was sent';
  const field = path === '' ? 'draftId' : `${path}.draftId`;
  const details = [{ path: field, message: current ? `has the revision ${current.revision}` : 'is not a draft' }];
  return new DomainError('EDIT_CONFLICT', message, { details, current: current && show(current) });
}

function unknownDraft(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such draft');
}

function saveOf(draftId: string, { name, message }: DraftRequest, at: Date, { tokenId }: Author): DraftSave {
  return { draftId, name, message, at, tokenId };
}

/** Returns the name of a copy, cut to the greatest length of a name. */
function copyOf(name: string): string {
  return `${[...name].slice(0, LONGEST_NAME - COPY.length).join('')}${COPY}`;
}

function show(draft: SavedDraft): DraftResponse {
  return { ...summaryOf(draft), message: draft.message };
}

function summaryOf({ draftId, name, revision, createdAt, updatedAt, updatedBy }: DraftSummary): DraftSummaryResponse {
  return {
    id: draftId,
    name,
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    updatedBy: updatedBy ?? 'operator',
  };
}
