import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  makeCursor,
  readTemplateMessage,
  type TemplateChangesRequest,
  type TemplateRequest,
  type TemplateResponse,
  type TemplatesQuery,
  type TemplatesResponse,
  type TemplateSummaryResponse,
  type TemplateVersionsQuery,
  type TemplateVersionsResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, type ErrorDetail, InvalidRequest, isUuid } from '@postrider/domain';
import {
  type SavedTemplate,
  SavedTemplatesRepository,
  type TemplateSave,
  type TemplateSummary,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { templateProblems, templateWarnings } from '@postrider/rendering';
import type { Caller } from '../auth/caller';
import { TooMany, writeUnlessTaken } from '../http/errors/conflicts';

/** What a template of another installation keeps here, with its newest version. */
export type TemplateOrigin = Pick<TemplateSummary, 'templateId' | 'version' | 'createdAt' | 'updatedAt'>;

const TAKEN = { message: 'A template with this name exists', field: 'name' };
/** How many templates an application may save, and how many versions of each. */
const MOST_TEMPLATES = 1_000;
const MOST_VERSIONS = 200;
/** The most bytes of the content of a template, as JSON. */
const MOST_BYTES = 131_072;

/** Saves content of messages under names, in versions. */
@Injectable()
export class SavedTemplates {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly templates: SavedTemplatesRepository,
  ) {}

  /**
   * @param origin of a template from another installation
   * @throws InvalidRequest as a send; DomainError CONFLICT when the name or the id is taken, or there are too many
   */
  async create(
    caller: Pick<Caller, 'appId' | 'tokenId'>,
    request: TemplateRequest,
    origin?: TemplateOrigin,
  ): Promise<TemplateResponse> {
    await checkContent(request);
    const at = origin?.updatedAt ?? this.clock.now();
    const save = { ...saveOf(origin?.templateId ?? newId(at), request, at, caller), ...(origin && { from: origin }) };
    const isMade = await writeUnlessTaken(TAKEN, () => this.templates.insert(caller.appId, save, MOST_TEMPLATES));
    if (!isMade) throw new TooMany(MOST_TEMPLATES, 'templates');
    return this.find(caller.appId, save.templateId);
  }

  /**
   * Makes a new version of a template.
   *
   * @throws InvalidRequest like a send; DomainError NOT_FOUND; EDIT_CONFLICT if there is a newer version than the named
   * one; CONFLICT if another template has the name
   */
  async replace(
    caller: Caller,
    templateId: string,
    { version, ...request }: TemplateChangesRequest,
  ): Promise<TemplateResponse> {
    await this.#find(caller.appId, templateId);
    await checkContent(request);
    return this.#save(caller, saveOf(templateId, request, this.clock.now(), caller), version);
  }

  /** Makes a new version with the content of an old one. @throws DomainError NOT_FOUND */
  async restore(caller: Caller, templateId: string, version: number): Promise<TemplateResponse> {
    const [newest, old] = [
      await this.#find(caller.appId, templateId),
      await this.#find(caller.appId, templateId, version),
    ];
    const { name, description, version: from } = newest;
    const at = this.clock.now();
    const { message, variables } = old;
    const save = { templateId, name, description, message, variables, at, tokenId: caller.tokenId };
    return this.#save(caller, save, from);
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, templateId: string, version?: number): Promise<TemplateResponse> {
    const template = await this.#find(appId, templateId, version);
    return show(template, await warningsOf(template));
  }

  /** Lists the templates of an application, newest first. */
  async list(appId: string, { name, limit, cursor }: TemplatesQuery): Promise<TemplatesResponse> {
    const page = { name, beforeId: cursor ?? null, limit: limit + 1 };
    const found = await this.templates.list(appId, page);
    const { entries, nextCursor } = cutList(found, limit, ({ templateId }) => makeCursor(templateId));
    return { templates: entries.map(summaryOf), nextCursor };
  }

  /**
   * Lists the former and the present version of a template, newest first.
   *
   * @throws DomainError NOT_FOUND
   */
  async listVersions(
    appId: string,
    templateId: string,
    { limit, cursor }: TemplateVersionsQuery,
  ): Promise<TemplateVersionsResponse> {
    await this.#find(appId, templateId);
    const before = cursor === undefined ? null : Number(cursor);
    const found = await this.templates.listVersions(appId, templateId, { before, limit: limit + 1 });
    const { entries, nextCursor } = cutList(found, limit, ({ version }) => makeCursor(String(version)));
    const versions = entries.map(summaryOf).map(({ version, updatedAt: createdAt, updatedBy: createdBy }) => ({
      version,
      createdAt,
      createdBy,
    }));
    return { versions, nextCursor };
  }

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string, templateId: string): Promise<void> {
    if (!isUuid(templateId) || !(await this.templates.delete(appId, templateId))) throw unknownTemplate();
  }

  async #find(appId: string, templateId: string, version?: number): Promise<SavedTemplate> {
    const found = isUuid(templateId) ? await this.templates.find(appId, templateId, version) : null;
    if (found === null) throw unknownTemplate();
    return found;
  }

  async #save({ appId }: Caller, save: TemplateSave, version: number | undefined): Promise<TemplateResponse> {
    const saved = await writeUnlessTaken(TAKEN, () =>
      this.templates.update(appId, save, { version, kept: MOST_VERSIONS }),
    );
    // The version that was made here: by now there may be a newer one.
    if (saved !== null) return this.find(appId, save.templateId, saved);
    const message = 'Somebody else has saved this template since; nothing was changed';
    throw new DomainError('EDIT_CONFLICT', message, { current: await this.find(appId, save.templateId) });
  }
}

/** @throws InvalidRequest that names every bad field of a template's content */
async function checkContent({ message }: TemplateRequest): Promise<void> {
  const { send, problems } = readTemplateMessage(message);
  const all: ErrorDetail[] = [...problems];
  const bytes = Buffer.byteLength(JSON.stringify(message));
  if (bytes > MOST_BYTES) {
    all.push({ path: 'message', message: `has ${bytes} bytes of JSON, a template has at most ${MOST_BYTES}` });
  } else if (send !== null) all.push(...(await templateProblems([{ content: send.content, path: 'message' }])));
  if (all.length > 0) throw new InvalidRequest(all);
}

/** Returns no warnings for a template that was saved under other rules and is refused today. */
async function warningsOf({ message, variables }: SavedTemplate): Promise<ErrorDetail[]> {
  const { send } = readTemplateMessage(message);
  if (send === null) return [];
  const listed = variables.map(({ name }) => name);
  return templateWarnings({ content: send.content, path: 'message' }, listed);
}

function unknownTemplate(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such template');
}

function saveOf(
  templateId: string,
  { name, description, message, variables }: TemplateRequest,
  at: Date,
  { tokenId }: Pick<Caller, 'tokenId'>,
): TemplateSave {
  return {
    templateId,
    name,
    description: description ?? null,
    message,
    variables: variables ?? [],
    at,
    tokenId,
  };
}

function show(template: SavedTemplate, warnings: ErrorDetail[]): TemplateResponse {
  return { ...summaryOf(template), message: template.message, variables: [...template.variables], warnings };
}

function summaryOf({
  templateId,
  createdAt,
  updatedAt,
  updatedBy,
  ...fields
}: TemplateSummary): TemplateSummaryResponse {
  const { name, description, version } = fields;
  return {
    id: templateId,
    name,
    description,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    updatedBy: updatedBy ?? 'operator',
  };
}
