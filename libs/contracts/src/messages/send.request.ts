import { type JsonObject, MAX_NAME_LENGTH, sameTag } from '@postrider/domain';
import { IsRuleGroup, IsTarget } from '../segments/rule-group';
import { Optional, Rule, SaysOfClass } from '../validation/field';
import { IsAnyText, IsJson, IsListOf, IsName, IsRefused, type Refused } from '../validation/fields';
import { IsNested } from '../validation/nested';
import type { Reading } from '../validation/reading';
import { readName } from '../validation/values';
import { IsUserId } from '../validation/user-identity';
import { FallbackRequest, MessageRequest } from './message.request';
import { SILENT_UPDATE_SCHEMA } from './notification.request';
import type { VariantRequest } from './variants.request';

/** The user that stands for everybody on the channel. */
export const EVERYONE = '*';

/** The name of the content outside `localized` in a preview. It is not a language tag. */
export const DEFAULT_LANGUAGE = 'default';

/** The most users of one preview. */
const MOST_PREVIEWED = 20;

const BY_RULES = 'is only for byQuery; a message is for users or for a group, not both';
const BY_NAME = 'is not allowed in a message to a group';

const NAME_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH };

const CONTENT_OR_SILENT = [
  { required: ['content'] },
  { required: ['templateId'] },
  { required: ['variants'] },
  { required: ['notification'], properties: { notification: SILENT_UPDATE_SCHEMA, alertText: { maxLength: 0 } } },
];

/** A message to named users. */
abstract class NamedMessageRequest extends MessageRequest {
  @Optional() @IsName() clientId?: string;

  @Optional()
  @IsNested(() => FallbackRequest)
  @Rule<NamedMessageRequest>(({ isForNamedUsers }, isSent) =>
    isSent('fallback') && !isForNamedUsers ? 'is only for messages to named users' : null,
  )
  fallback?: FallbackRequest;

  override get isForNamedUsers(): boolean {
    return true;
  }
}

/** A message to one user, or with `*` to everybody on the channel; also an element of an array. */
@SaysOfClass({ additionalProperties: true, anyOf: CONTENT_OR_SILENT })
export class SendToUserRequest extends NamedMessageRequest {
  @IsName('a user id, or * for the channel') user!: string;
  @IsRefused('is not allowed in an array; each element has one user') users?: Refused;
  @IsRefused(BY_RULES) target?: Refused;
  @IsRefused(BY_RULES) segment?: Refused;

  override get isForNamedUsers(): boolean {
    return this.user !== EVERYONE;
  }
}

/** A message to several users. */
@SaysOfClass({ additionalProperties: true, anyOf: CONTENT_OR_SILENT })
export class SendToUsersRequest extends NamedMessageRequest {
  /** The maximum is a setting, which the reader of the request checks. */
  @IsUserIds() users!: string[];
  @IsRefused('must not be sent together with users') user?: Refused;
  @IsRefused(BY_RULES) target?: Refused;
  @IsRefused(BY_RULES) segment?: Refused;
}

/** A message to a group, by properties of devices, by rules, or both. */
@SaysOfClass({
  additionalProperties: true,
  allOf: [{ anyOf: CONTENT_OR_SILENT }, { anyOf: [{ required: ['target'] }, { required: ['segment'] }] }],
})
export class SendToGroupRequest extends MessageRequest {
  @Optional()
  @IsTarget()
  @Rule<SendToGroupRequest>((_, isSent) => (isSent('target') || isSent('segment') ? null : 'is required, or segment'))
  target?: JsonObject;

  @Optional() @IsRuleGroup() segment?: JsonObject;
  @IsRefused(BY_NAME) user?: Refused;
  @IsRefused(BY_NAME) users?: Refused;
  @IsRefused(BY_NAME) clientId?: Refused;
  @IsRefused(BY_NAME) fallback?: Refused;
}

/** The body of `preview`: a message, and the users for whom it is rendered, whatever its recipients are. */
@SaysOfClass({
  additionalProperties: true,
  allOf: [
    { anyOf: CONTENT_OR_SILENT },
    { anyOf: [{ required: ['users'] }, { required: ['user'], properties: { user: NAME_SCHEMA } }] },
  ],
})
export class PreviewRequest extends NamedMessageRequest {
  @Optional()
  @IsUserIds(MOST_PREVIEWED)
  @Rule<PreviewRequest>((_, isSent) => (isSent('users') || isSent('user') ? null : 'is required'))
  users?: string[];

  @Optional()
  @IsJson('one user, instead of `users`')
  @Rule<PreviewRequest>(({ user }, isSent) =>
    isSent('users') || user === undefined ? null : previewedUserProblem(user),
  )
  user?: unknown;

  @Optional() @IsJson('accepted so that the body of a send can be previewed unchanged') target?: unknown;
  @Optional() @IsJson('accepted so that the body of a send can be previewed unchanged') segment?: unknown;

  @Optional()
  @IsAnyText(
    'the language to show on every device: a tag of `localized`, of the message or of the shown variant, in any case, or "default"; absent: the one that each would get',
  )
  @Rule<PreviewRequest>(({ language, localized, variants, variant }) =>
    language === undefined ||
    language === DEFAULT_LANGUAGE ||
    [{ localized }, shownVariant(variants, variant)].some((one) => sameTag(Object.keys(one?.localized ?? {}), language))
      ? null
      : 'must be a tag of localized, or "default"',
  )
  language?: string;

  @Optional()
  @IsName('the name of the variant to show; absent: the first')
  @Rule<PreviewRequest>(({ variant, variants = [] }) =>
    variant === undefined || variants.some(({ name }) => name === variant) ? null : 'must be the name of a variant',
  )
  variant?: string;

  override get isPreview(): boolean {
    return true;
  }

  override get isForNamedUsers(): boolean {
    return this.users !== undefined || this.user !== EVERYONE;
  }
}

/** The path of `notifyUser`. */
export class NotifiedUserPath {
  @IsUserId() userId!: string;
}

/** A request that holds one message. */
export type AnySendRequest = SendToUserRequest | SendToUsersRequest | SendToGroupRequest | PreviewRequest;

/** Ids of users, one or more. A repeated one counts once. */
function IsUserIds(max?: number): PropertyDecorator {
  return IsListOf(readNamedUser, {
    items: NAME_SCHEMA,
    min: 1,
    max,
    isSet: true,
  });
}

function readNamedUser(value: unknown): Reading<string> {
  return value === EVERYONE
    ? { problem: 'must be a user id; "*" is allowed only as the value of user' }
    : readName(value);
}

/** The variant that a preview shows. Default: the first. */
function shownVariant(variants: readonly VariantRequest[] = [], name: string | undefined): VariantRequest | undefined {
  return name === undefined ? variants[0] : variants.find((one) => one.name === name);
}

/** Checks the user of a preview. */
function previewedUserProblem(user: unknown): string | null {
  if (user === EVERYONE) return 'must be a user id: a preview is for users with names';
  const reading = readName(user);
  return 'problem' in reading ? reading.problem : null;
}
