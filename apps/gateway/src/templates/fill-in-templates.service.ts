import { Injectable } from '@nestjs/common';
import { fillInVariables, TEMPLATE_FIELDS, withTemplate } from '@postrider/contracts';
import { type ErrorDetail, isUuid, type JsonObject } from '@postrider/domain';
import { type SavedTemplate, SavedTemplatesRepository } from '@postrider/persistence';
import { inSlices } from '../http/in-slices';

/** One message of a request, with its template filled in. */
export interface FilledMessage {
  /** As if the caller had sent the template's content themselves. */
  json: unknown;
  /** The problems of the named template. If there are any, nothing else of the message is read. */
  problems: ErrorDetail[];
  /** The template and the version, for a message whose texts all come from the template. */
  texts: string | null;
}

/** Fills in the content of the templates that requests name. */
@Injectable()
export class FillInTemplates {
  constructor(private readonly templates: SavedTemplatesRepository) {}

  /**
   * @param messages the messages of one request, as they came
   * @param isBatch true if they are elements of an array, and are named so in problems
   */
  async fillIn(appId: string, messages: readonly unknown[], isBatch: boolean): Promise<FilledMessage[]> {
    const known = new Map<string, SavedTemplate | null>();
    for (const message of messages) {
      const named = namedBy(message);
      if (named === null || known.has(keyOf(named))) continue;
      const { templateId, version } = named;
      known.set(keyOf(named), isUuid(templateId) ? await this.templates.find(appId, templateId, version) : null);
    }
    return inSlices(messages, (message, index) => {
      const named = namedBy(message);
      if (named === null) return { json: message, problems: [], texts: null };
      const filled = fillInOne(message as JsonObject, named, known.get(keyOf(named)) ?? null);
      if (!isBatch) return filled;
      return {
        ...filled,
        problems: filled.problems.map(({ path, ...rest }) => ({ path: `[${index}].${path}`, ...rest })),
      };
    });
  }
}

/** True if a body, or an element of it, names a template. */
export function namesTemplate(body: unknown): boolean {
  return Array.isArray(body) ? body.some((element) => namedBy(element) !== null) : namedBy(body) !== null;
}

interface NamedTemplate {
  templateId: string;
  version?: number;
}

/** A version that is not a number is left to the reader of the request. */
function namedBy(message: unknown): NamedTemplate | null {
  if (typeof message !== 'object' || message === null) return null;
  const { templateId, templateVersion } = message as JsonObject;
  if (typeof templateId !== 'string') return null;
  const version = Number(templateVersion ?? NaN);
  return Number.isInteger(version) && version > 0 && version < 2 ** 31 ? { templateId, version } : { templateId };
}

function keyOf({ templateId, version }: NamedTemplate): string {
  return `${templateId.toLowerCase()} ${version ?? ''}`;
}

function fillInOne(message: JsonObject, { version }: NamedTemplate, template: SavedTemplate | null): FilledMessage {
  if (template === null) {
    const problem =
      version === undefined
        ? { path: 'templateId', message: 'must be the id of a template' }
        : { path: 'templateVersion', message: 'must be a version of a template that exists' };
    return { json: message, problems: [problem], texts: null };
  }
  const sent = message.variables ?? {};
  // The reader of the request refuses a value that is not an object.
  if (typeof sent !== 'object' || Array.isArray(sent)) return { json: message, problems: [], texts: null };
  const { variables, problems } = fillInVariables(template.variables, sent);
  const filled = withTemplate(message, template.message);
  const isWhole = TEMPLATE_FIELDS.every((name) => (message[name] ?? null) === null);
  return {
    json: { ...filled, variables, templateVersion: message.templateVersion ?? template.version },
    problems,
    texts: isWhole ? `${template.templateId} ${template.version}` : null,
  };
}
