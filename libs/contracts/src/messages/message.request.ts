import {
  type Channel,
  DAY_SECONDS,
  type Fallback,
  isoMoment,
  type JsonValue,
  MAX_RATE,
  MAX_TTL_SECONDS,
} from '@postrider/domain';
import { fieldOf, Optional, Rule } from '../validation/field';
import {
  IsAnyText,
  IsChannel,
  IsFilledText,
  IsFlag,
  IsJson,
  IsName,
  IsOneOf,
  IsWholeNumber,
} from '../validation/fields';
import { IsNested } from '../validation/nested';
import type { Reading } from '../validation/reading';
import { isSilentUpdate, NotificationRequest } from './notification.request';

const DEFAULT_DELAY_SECONDS = 60;
const WITH_OFFSET = /[+-]\d\d:\d\d$/;

/** The SMS that is sent when nothing confirms the message in time. */
export class FallbackRequest {
  @IsFilledText()
  content!: string;

  @IsOneOf(['sms'], { default: 'sms' })
  media!: Fallback['media'];

  @IsWholeNumber(0, DAY_SECONDS, { default: DEFAULT_DELAY_SECONDS, description: 'seconds' })
  delay!: number;

  @Optional()
  @IsOneOf(['NOTIFICATION_SHOWN'])
  policy?: NonNullable<Fallback['policy']>;
}

/** The fields of a message that say what is sent, when and how fast; whom it goes to is said by the classes that extend it. */
export abstract class MessageRequest {
  @Optional()
  @IsFilledText('required, except with a notification that only has `contentAvailable`: that wakes the app up')
  @Rule<MessageRequest>(({ notification }, isSent) =>
    isSent('content') || (notification && isSilentUpdate(notification)) ? null : 'is required',
  )
  content?: string;

  @IsChannel({ default: 'public/default' })
  channel!: Channel;

  @Optional()
  @IsJson()
  data?: JsonValue;

  @Optional()
  @IsName()
  trackId?: string;

  @Optional()
  @IsFlag()
  inApp?: boolean;

  @Optional()
  @IsFlag()
  autoNotify?: boolean;

  @Optional()
  @IsFlag()
  live?: boolean;

  @Optional()
  @IsFlag()
  useAsAlert?: boolean;

  @Optional()
  @IsAnyText()
  alertText?: string;

  @IsWholeNumber(0, MAX_TTL_SECONDS, { default: MAX_TTL_SECONDS, description: 'seconds' })
  ttl!: number;

  @Optional()
  @IsNested(() => NotificationRequest)
  notification?: NotificationRequest;

  @Optional()
  @IsFlag()
  silent?: boolean;

  @Optional()
  @IsFlag('Web links (clickUrl, actions) count who follows them')
  trackLinks?: boolean;

  @Optional()
  @IsFlag('Sent to try it out: a sample stands where promo codes would, and none is taken')
  isTest?: boolean;

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
    live && isSent('sendAt') && !isPreview ? 'is not for live: that reaches whoever is connected at this moment' : null,
  )
  sendAt?: string;

  @Optional()
  @IsFlag('sendAt is what clocks show where each device is; campaigns only')
  @Rule<MessageRequest>(({ localTime }, isSent) => (localTime && !isSent('sendAt') ? 'needs sendAt' : null))
  @Rule<MessageRequest>(({ localTime, isForNamedUsers, isPreview }) =>
    localTime && isForNamedUsers && !isPreview ? 'is for campaigns: byQuery, or user "*"' : null,
  )
  localTime?: boolean;

  @Optional()
  @IsFlag('send in the quiet hours of the application too')
  ignoreQuietHours?: boolean;

  /** Whether it is only looked at: what does not go together when it is sent may stand together. */
  get isPreview(): boolean {
    return false;
  }

  /** Whether it is sent to users by their ids: they have one moment, whatever their clocks show. */
  get isForNamedUsers(): boolean {
    return false;
  }
}

/** `live` is for this moment, and an inbox has no speed. */
function rateProblem({ live, inApp, isPreview }: Partial<MessageRequest>): string | null {
  if (isPreview) return null;
  if (live) return 'is not for live: that reaches whoever is connected at this moment';
  return inApp ? 'is not for inApp: nothing is pushed' : null;
}

/** ISO 8601, kept as text: whether it is a moment or what a clock on the wall shows is said by another field. */
function IsMoment(): PropertyDecorator {
  return fieldOf({
    name: 'isMoment',
    read: (value): Reading<string> =>
      typeof value === 'string' && isoMoment(value) !== null
        ? { value }
        : { problem: 'must be a time in ISO 8601, such as 2026-11-22T09:00:00+01:00' },
    schema: {
      type: 'string',
      description: 'when to send, ISO 8601, up to 90 days ahead; with localTime without an offset',
      examples: ['2026-11-22T09:00:00+01:00', '2026-11-22T09:00:00'],
    },
  });
}
