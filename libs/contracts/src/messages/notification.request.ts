import type { JsonValue } from '@postrider/domain';
import { fieldOf, Optional, readablePart, Rule, SaysOfClass } from '../validation/field';
import { IsAnyText, IsFilledText, IsFlag, IsLink, IsTextLike, IsWholeNumber } from '../validation/fields';
import { IsNestedList } from '../validation/nested';
import { readLink } from '../validation/values';

/** Authentication required, destructive and foreground together. */
const ALL_OPTIONS = 7;
const LED_COLOR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

/** A notification that only wakes the app up, in the API document. */
export const SILENT_UPDATE_SCHEMA = {
  required: ['contentAvailable'],
  properties: { contentAvailable: { anyOf: [{ const: true }, { const: 1 }, { enum: ['true', '1'] }] } },
  not: { anyOf: [{ required: ['title'] }, { required: ['body'] }] },
};

/** A button. Unknown fields reach the device unchanged. */
@SaysOfClass({ additionalProperties: true, description: 'a button; unknown fields reach the device under `extra`' })
export class ActionRequest {
  @Optional() @IsAnyText() id?: string;
  @Optional() @IsAnyText() title?: string;

  @Optional()
  @IsWholeNumber(0, ALL_OPTIONS, {
    description: '1 authentication, 2 destructive, 4 foreground, or a sum of them; iOS',
  })
  options?: number;

  @Optional() @IsLink() icon?: string;
  @Optional() @IsLink() url?: string;
}

/** What the device shows, without the title. */
abstract class NotificationFields {
  @Optional() @IsAnyText() body?: string;
  @Optional() @IsAnyText() groupId?: string;
  @Optional() @IsLink() icon?: string;
  @Optional() @IsAnyText() sound?: string;
  @Optional() @IsLink() clickUrl?: string;
  @Optional() @IsTextLike(LED_COLOR, 'must be a colour: #RGB, #RRGGBB or #AARRGGBB') ledColor?: string;
  @Optional() @IsLink() smallIcon?: string;
  @Optional() @IsNestedList(() => ActionRequest) actions?: ActionRequest[];
  @Optional() @IsAnyText() mediaType?: string;
  @Optional() @IsLink() mediaUrl?: string;
  @Optional() @IsFlag() contentAvailable?: boolean;
  @Optional() @IsFlag() mutableContent?: boolean;
  @Optional() @IsAnyText() category?: string;
  @Optional() @IsPicture() badge?: JsonValue;
  @Optional() @IsPicture() image?: JsonValue;
}

/** What the device shows. Unknown fields reach the device unchanged. */
@SaysOfClass({
  additionalProperties: true,
  description:
    'what the device shows; unknown fields reach the device under `extra`; `title` is required, except with `contentAvailable` and without title and body',
  anyOf: [{ required: ['title'] }, SILENT_UPDATE_SCHEMA],
})
export class NotificationRequest extends NotificationFields {
  @Optional()
  @IsFilledText()
  @Rule<NotificationRequest>((notification) =>
    notification.title === undefined && !isSilentUpdate(notification) ? 'is required' : null,
  )
  title?: string;
}

/** The fields of a notification that differ in one language. */
@SaysOfClass({
  additionalProperties: true,
  description: 'fields that replace those of the default notification, one by one',
})
export class LocalizedNotificationRequest extends NotificationFields {
  @Optional() @IsFilledText() title?: string;
}

/** Fields of a notification that are checked, but passed on like unknown ones. */
export const PICTURES: ReadonlySet<string> = new Set(['badge', 'image'] satisfies (keyof NotificationRequest)[]);

/** True if a notification shows nothing: the app is woken up to update itself. */
export function isSilentUpdate(notification: Partial<NotificationRequest>): boolean {
  const { contentAvailable, title, body } = readablePart(notification);
  return contentAvailable === true && title === undefined && body === undefined;
}

/** A link that browsers load. If it is not a link, an app may give it any meaning. */
function IsPicture(): PropertyDecorator {
  return fieldOf<unknown>({
    name: 'isPicture',
    read: (value) => (typeof value === 'string' ? readLink(value) : { value }),
    schema: {
      description: 'for browsers a link of any scheme but javascript:, data:, vbscript:, file:; else any JSON',
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
      ],
    },
  });
}
