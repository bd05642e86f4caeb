import {
  type Channel,
  DAY_SECONDS,
  DEFAULT_COUNT_TOLERANCE,
  type Fallback,
  ISO_8601,
  isoMoment,
  type JsonObject,
  type JsonValue,
  MAX_HOLDOUT_PERCENT,
  MAX_RATE,
  MAX_TTL_SECONDS,
  UUID,
  USUAL_CHANNEL,
} from '@postrider/domain';
import { IsVariables } from './variables';
import { fieldOf, Optional, Rule } from '../validation/field';
import {
  IsAnyText,
  IsChannel,
  IsFilledText,
  IsFlag,
  IsJson,
  IsName,
  IsNumberFrom,
  IsOneOf,
  IsRefused,
  IsTextLike,
  IsWholeNumber,
  type Refused,
} from '../validation/fields';
import { IsRevision } from '../drafts/draft.request';
import { IsNested } from '../validation/nested';
import type { Reading } from '../validation/reading';
import { IsLocalized, type LocalizedRequests } from './localized.request';
import { isSilentUpdate, NotificationRequest } from './notification.request';
import { IsVariants, type VariantRequest, WinnerRequest } from './variants.request';

const DEFAULT_DELAY_SECONDS = 60;
const WITH_OFFSET = /[+-]\d\d:\d\d$/;

/** The SMS that is sent if no device confirms the message in time. */
export class FallbackRequest {
  @IsFilledText() content!: string;
  @IsOneOf(['sms'], { default: 'sms' }) media!: Fallback['media'];
  @IsWholeNumber(0, DAY_SECONDS, { default: DEFAULT_DELAY_SECONDS, description: 'seconds' }) delay!: number;
  @Optional() @IsOneOf(['NOTIFICATION_SHOWN']) policy?: NonNullable<Fallback['policy']>;
}

/** The fields of a message that say what is sent, when and how fast. The classes that extend it have the recipients. */
export abstract class MessageRequest {
  /** As an unknown field it would be kept, and the message would be sent although the caller only wants a dry run. */
  @IsRefused('is a parameter of the query, ?dryRun=true, not a field of a message') dryRun?: Refused;

  @Optional()
  @IsFilledText(
    'required, except without alertText and with a notification that has only `contentAvailable` (it wakes the app up), or where every variant has it',
  )
  @Rule<MessageRequest>(({ notification, alertText, variants }, isSent) =>
    isSent('content') ||
    showsNothing({ notification, alertText }) ||
    // Wrong variants may have it: their own problems are reported.
    (isSent('variants') && (variants?.every((variant) => hasContent(variant, alertText)) ?? true))
      ? null
      : 'is required',
  )
  content?: string;

  @IsChannel({ default: USUAL_CHANNEL }) channel!: Channel;
  @Optional() @IsJson() data?: JsonValue;
  @Optional() @IsName() trackId?: string;
  @Optional() @IsFlag() inApp?: boolean;
  @Optional() @IsFlag() autoNotify?: boolean;
  @Optional() @IsFlag() live?: boolean;
  @Optional() @IsFlag() useAsAlert?: boolean;
  @Optional() @IsAnyText() alertText?: string;
  @IsWholeNumber(0, MAX_TTL_SECONDS, { default: MAX_TTL_SECONDS, description: 'seconds' }) ttl!: number;
  @Optional() @IsNested(() => NotificationRequest) notification?: NotificationRequest;
  @Optional() @IsLocalized() localized?: LocalizedRequests;
  @Optional() @IsFlag() silent?: boolean;
  @Optional() @IsFlag('true to count clicks on web links (clickUrl, actions)') trackLinks?: boolean;

  @Optional()
  @IsFlag('a test send: shows a sample in place of promo codes, and takes no code')
  isTest?: boolean;

  @Optional()
  @IsFlag('for a message to named users: true if it counts for the frequency caps and obeys them, like a campaign')
  countsTowardsCap?: boolean;

  @Optional()
  @IsFlag('true to send it also to users who have had as many campaigns as the frequency caps allow; it still counts')
  ignoreFrequencyCap?: boolean;

  @Optional()
  @IsWholeNumber(0, MAX_HOLDOUT_PERCENT, {
    description: 'the percentage of users who get nothing, to compare the others with; campaigns only',
  })
  @Rule<MessageRequest>((message, isSent) => (isSent('holdout') ? campaignProblem(message) : null))
  holdout?: number;

  @Optional()
  @IsVariants()
  @Rule<MessageRequest>((message, isSent) => (isSent('variants') ? campaignProblem(message) : null))
  variants?: VariantRequest[];

  @Optional()
  @IsNested(() => WinnerRequest, 'sends the best of the variants to the users who got none yet; campaigns only')
  @Rule<MessageRequest>((message, isSent) => (isSent('winner') ? campaignProblem(message) : null))
  @Rule<MessageRequest>((_, isSent) => (isSent('winner') && !isSent('variants') ? 'needs variants' : null))
  @Rule<MessageRequest>(({ winner, live }) =>
    winner && live ? 'is not allowed with live, which reaches the devices that are connected at this moment' : null,
  )
  @Rule<MessageRequest>(({ winner, ttl }) =>
    winner && ttl !== undefined && winner.after >= ttl ? 'must have an `after` that is less than ttl' : null,
  )
  winner?: WinnerRequest;

  @Optional()
  @IsWholeNumber(1, MAX_RATE, { description: 'devices per second' })
  @Rule<MessageRequest>((message, isSent) => (isSent('rate') ? rateProblem(message) : null))
  rate?: number;

  @Optional()
  @IsMoment()
  @Rule<MessageRequest>(({ sendAt, localTime }) =>
    localTime && sendAt !== undefined && WITH_OFFSET.test(sendAt)
      ? 'must be a time without an offset, such as 2026-11-22T09:00:00, when localTime is set'
      : null,
  )
  @Rule<MessageRequest>(({ live, isPreview }, isSent) =>
    live && isSent('sendAt') && !isPreview
      ? 'is not allowed with live, which reaches the devices that are connected at this moment'
      : null,
  )
  sendAt?: string;

  @Optional()
  @IsFlag('true if sendAt is in the local time of each device; campaigns only')
  @Rule<MessageRequest>(({ localTime }, isSent) => (localTime && !isSent('sendAt') ? 'needs sendAt' : null))
  @Rule<MessageRequest>(({ localTime, isForNamedUsers, isPreview }) =>
    localTime && isForNamedUsers && !isPreview ? 'is only for campaigns: byQuery, or user "*"' : null,
  )
  localTime?: boolean;

  @Optional() @IsFlag('true to send during the quiet hours of the application') ignoreQuietHours?: boolean;

  @Optional()
  @IsWholeNumber(0, Number.MAX_SAFE_INTEGER, {
    description: 'how many devices the sender expects; with another count nothing is sent',
  })
  expectedCount?: number;

  @Optional()
  @IsNumberFrom(0, 1, `the allowed difference, as a share of expectedCount; the default is ${DEFAULT_COUNT_TOLERANCE}`)
  @Rule<MessageRequest>(({ expectedCountTolerance }, isSent) =>
    expectedCountTolerance !== undefined && !isSent('expectedCount') ? 'needs expectedCount' : null,
  )
  expectedCountTolerance?: number;

  @Optional()
  @IsTextLike(UUID, 'must be the id of a template', {
    description: 'the template whose content the message has; fields of the send go before those of the template',
  })
  templateId?: string;

  @Optional()
  @IsRevision('a version of the template; absent: the newest one')
  @Rule<MessageRequest>(({ templateVersion, templateId }) =>
    templateVersion !== undefined && templateId === undefined ? 'needs templateId' : null,
  )
  templateVersion?: number;

  @Optional() @IsVariables() variables?: JsonObject;

  @Optional()
  @IsTextLike(UUID, 'must be the id of a draft', {
    description: 'the draft that this message was made from: it is removed when the message is accepted',
  })
  draftId?: string;

  @Optional()
  @IsRevision('the revision of the draft that this message was made from; with another one nothing is sent')
  @Rule<MessageRequest>(({ draftRevision, draftId }) =>
    draftRevision !== undefined && draftId === undefined ? 'needs draftId' : null,
  )
  draftRevision?: number;

  /** True if it is only a preview: fields that exclude each other in a send may be used together. */
  get isPreview(): boolean {
    return false;
  }

  /** True if it is sent to users by their ids: it has one send time, whatever their local time is. */
  get isForNamedUsers(): boolean {
    return false;
  }
}

/** True if users who get this variant need no other content. */
function hasContent({ content, notification, alertText }: VariantRequest, common: string | undefined): boolean {
  return content !== undefined || showsNothing({ notification, alertText: alertText ?? common });
}

/** True for a message without content that only wakes the app up. */
function showsNothing({
  notification,
  alertText = '',
}: Pick<Partial<VariantRequest>, 'notification' | 'alertText'>): boolean {
  return notification !== undefined && isSilentUpdate(notification) && alertText === '';
}

/** Variants and a holdout need an audience without named users. */
function campaignProblem({ isForNamedUsers, isPreview }: Partial<MessageRequest>): string | null {
  return isForNamedUsers && !isPreview ? 'is only for campaigns: byQuery, or user "*"' : null;
}

/** `live` is for this moment, and an inbox has no rate. */
function rateProblem({ live, inApp, isPreview }: Partial<MessageRequest>): string | null {
  if (isPreview) return null;
  if (live) return 'is not allowed with live, which reaches the devices that are connected at this moment';
  return inApp ? 'is not allowed with inApp, which pushes nothing' : null;
}

/** ISO 8601, kept as text: another field decides if it is a moment or a local time. */
export function IsMoment(): PropertyDecorator {
  return fieldOf({
    name: 'isMoment',
    read: (value): Reading<string> =>
      typeof value === 'string' && isoMoment(value) !== null
        ? { value }
        : { problem: 'must be a time in ISO 8601, such as 2026-11-22T09:00:00+01:00' },
    schema: {
      type: 'string',
      pattern: ISO_8601.source,
      description: 'when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set',
      examples: ['2026-11-22T09:00:00+01:00', '2026-11-22T09:00:00'],
    },
  });
}
