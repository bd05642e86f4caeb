import { type ErrorDetail, isJsonObject, type JsonObject, type JsonValue, sameTag, UUID } from '@postrider/domain';
import { IsRevision } from '../drafts/draft.request';
import type { ValidatedSend } from '../messages/send';
import { readSend } from '../messages/read-send';
import { EVERYONE, SendToGroupRequest, SendToUserRequest } from '../messages/send.request';
import { MOST_VARIABLES } from '../messages/variables';
import { Example, fieldNames, Optional, Rule } from '../validation/field';
import { IsJsonObject, IsName, IsNamePart, IsText } from '../validation/fields';
import { IsNestedList } from '../validation/nested';
import { IsCursor, IsLimit } from '../validation/paging';
import { defaultsProblem, TemplateVariable } from './template-variables';

/** The fields of a message that a template may have. Fields of the send override them. */
export const TEMPLATE_FIELDS: readonly string[] = [
  'content',
  'data',
  'alertText',
  'useAsAlert',
  'autoNotify',
  'silent',
  'notification',
  'fallback',
  'trackLinks',
  'localized',
  'variants',
  'holdout',
  'winner',
];

const EXAMPLE = {
  name: 'Order ready',
  message: { content: 'Order {{ variables.order }} is ready', useAsAlert: true },
  variables: [{ name: 'order', required: true }],
};

/** The body of `POST /api/templates`. */
@Example(EXAMPLE)
export class TemplateRequest {
  @IsName() name!: string;
  @Optional() @IsText(500) description?: string;

  @IsJsonObject(
    'the content of a message, as in a send: content, data, alertText, useAsAlert, autoNotify, silent, notification, fallback, trackLinks, localized, variants, holdout, winner',
  )
  message!: JsonObject;

  @Optional()
  @IsNestedList(() => TemplateVariable, { max: MOST_VARIABLES })
  @Rule<TemplateRequest>(({ variables }) =>
    variables !== undefined && new Set(variables.map(({ name }) => name)).size < variables.length
      ? 'must name each variable once'
      : null,
  )
  @Rule<TemplateRequest>(({ variables }) => (variables === undefined ? null : defaultsProblem(variables)))
  variables?: TemplateVariable[];
}

/** The body of `PUT /api/templates/:id`. */
@Example({ ...EXAMPLE, version: 1 })
export class TemplateChangesRequest extends TemplateRequest {
  @Optional()
  @IsRevision('the version that this one was made from; if the template has a newer one by now, the answer is 409')
  version?: number;
}

/** The body of `POST /api/templates/:id/restore`. */
@Example({ version: 1 })
export class TemplateRestoreRequest {
  @IsRevision('the version whose content becomes the newest version') version!: number;
}

/** The query of `GET /api/templates/:id`. */
export class TemplateQuery {
  @Optional() @IsRevision('absent: the newest') version?: number;
}

/** The query of `GET /api/templates`. */
export class TemplatesQuery {
  @Optional() @IsNamePart() name?: string;
  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

/** The query of `GET /api/templates/:id/versions`. */
export class TemplateVersionsQuery {
  @IsCursor(/^[1-9]\d{0,8}$/) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

/** Fields that only campaigns have. */
const CAMPAIGN_FIELDS = ['variants', 'holdout', 'winner'];

/** Fields of a send that are not content. */
const NO_CONTENT = new Set(
  [...fieldNames(new SendToUserRequest()), ...fieldNames(new SendToGroupRequest())].filter(
    (name) => !TEMPLATE_FIELDS.includes(name),
  ),
);

/** Reads the content of a template like that of a send. @returns also its problems, under `message` */
export function readTemplateMessage(message: unknown): { send: ValidatedSend | null; problems: ErrorDetail[] } {
  if (!isJsonObject(message)) return { send: null, problems: [] };
  const foreign = Object.keys(message)
    .filter((name) => NO_CONTENT.has(name) && message[name] !== null)
    .map((name) => ({ path: name, message: 'is not part of a template: say it in the send' }));
  const own = Object.fromEntries(Object.entries(message).filter(([name]) => !NO_CONTENT.has(name)));
  // Campaign fields need an audience of everybody; a fallback needs named users.
  const user = CAMPAIGN_FIELDS.some((name) => (own[name] ?? null) !== null) ? EVERYONE : 'somebody';
  const { message: send, problems } = readSend({ ...own, user }, 'named', 1);
  const all = [...foreign, ...problems].map((problem) => ({ ...problem, path: `message.${problem.path}` }));
  return { send, problems: all };
}

/**
 * A send with the content of a template. Its own fields override the template's; those of a notification and of a
 * language one by one.
 */
export function withTemplate(sent: JsonObject, template: JsonObject): JsonObject {
  const both = { ...template, ...withoutNull(sent) };
  if (isJsonObject(template.notification) && isJsonObject(sent.notification)) {
    both.notification = { ...template.notification, ...withoutNull(sent.notification) };
  }
  if (isJsonObject(template.localized) && isJsonObject(sent.localized)) {
    both.localized = withLanguages(sent.localized, template.localized);
  }
  return both;
}

function withLanguages(sent: JsonObject, template: JsonObject): JsonObject {
  const own = withoutNull(sent);
  const tags = Object.keys(own);
  // A language that both have is named as the send names it.
  const usual = Object.fromEntries(
    Object.entries(template).map(([tag, content]) => [sameTag(tags, tag) ?? tag, content]),
  );
  const merged = Object.entries(own).map(([tag, content]): [string, JsonValue] => {
    const before = Object.hasOwn(usual, tag) ? usual[tag] : undefined;
    return [tag, isJsonObject(content) && isJsonObject(before) ? withTemplate(content, before) : content];
  });
  return { ...usual, ...Object.fromEntries(merged) };
}

function withoutNull(sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}
