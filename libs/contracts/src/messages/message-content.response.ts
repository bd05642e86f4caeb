import { type JsonObject, type JsonValue, WINNER_METRICS, type WinnerMetric } from '@postrider/domain';
import {
  AnyJsonField,
  CountField,
  FlagField,
  IdField,
  JsonField,
  ListField,
  ObjectField,
  ObjectsField,
  TextField,
  WordField,
} from '../validation/answers';

const EXTRA = 'fields that the API does not define; the device receives them unchanged';

/** A button of a notification, as it was requested. */
export class NotificationActionResponse {
  @TextField({ isOptional: true }) id?: string;
  @TextField({ isOptional: true }) title?: string;

  @CountField({ isOptional: true, description: '1 authentication, 2 destructive, 4 foreground, or a sum of them; iOS' })
  options?: number;

  @TextField({ isOptional: true }) icon?: string;
  @TextField({ isOptional: true }) url?: string;
  @JsonField({ isOptional: true, description: EXTRA }) extra?: JsonObject;
}

/** What a device shows, as it was requested. */
export class NotificationResponse {
  @TextField({ isOptional: true }) title?: string;
  @TextField({ isOptional: true }) body?: string;
  @TextField({ isOptional: true }) groupId?: string;
  @TextField({ isOptional: true }) icon?: string;
  @TextField({ isOptional: true }) sound?: string;
  @TextField({ isOptional: true }) clickUrl?: string;
  @TextField({ isOptional: true }) ledColor?: string;
  @TextField({ isOptional: true }) smallIcon?: string;
  @ListField(() => NotificationActionResponse, { isOptional: true }) actions?: NotificationActionResponse[];
  @TextField({ isOptional: true }) mediaType?: string;
  @TextField({ isOptional: true }) mediaUrl?: string;
  @FlagField({ isOptional: true }) contentAvailable?: boolean;
  @FlagField({ isOptional: true }) mutableContent?: boolean;
  @TextField({ isOptional: true }) category?: string;
  @JsonField({ isOptional: true, description: EXTRA }) extra?: JsonObject;
}

/** The requested SMS, sent if no device confirms the message in time. */
export class MessageFallbackResponse {
  @TextField() content!: string;
  @WordField(['sms']) media!: 'sms';
  @CountField() delaySeconds!: number;
  @WordField(['NOTIFICATION_SHOWN'], { isOptional: true }) policy?: 'NOTIFICATION_SHOWN';
}

/** The text of that SMS in one language. */
export class LocalizedFallbackResponse {
  @TextField() content!: string;
}

/** The differences in one language, as they were requested. */
export class LocalizedContentResponse {
  @TextField({ isOptional: true }) content?: string;
  @TextField({ isOptional: true }) alertText?: string;
  @ObjectField(() => NotificationResponse, { isOptional: true }) notification?: NotificationResponse;
  @ObjectField(() => LocalizedFallbackResponse, { isOptional: true }) fallback?: LocalizedFallbackResponse;
}

/** The differences for a part of a campaign's users, as they were requested. */
export class VariantResponse {
  @TextField() name!: string;
  @CountField() weight!: number;
  @TextField({ isOptional: true }) content?: string;
  @AnyJsonField({ isOptional: true }) data?: JsonValue;
  @TextField({ isOptional: true }) alertText?: string;
  @FlagField({ isOptional: true }) useAsAlert?: boolean;
  @FlagField({ isOptional: true }) autoNotify?: boolean;
  @FlagField({ isOptional: true }) silent?: boolean;
  @ObjectField(() => NotificationResponse, { isOptional: true }) notification?: NotificationResponse;
  @ObjectsField(() => LocalizedContentResponse, { isOptional: true }) localized?: Record<
    string,
    LocalizedContentResponse
  >;
}

/** When and how the best variant is found, as it was requested. */
export class WinnerRuleResponse {
  @WordField(WINNER_METRICS) metric!: WinnerMetric;
  @CountField({ description: 'seconds' }) after!: number;
  @CountField() share!: number;
}

/** The content, as it was requested. */
export class MessageContentResponse {
  @TextField({ isOptional: true }) content?: string;
  @AnyJsonField({ isOptional: true }) data?: JsonValue;
  @TextField({ isOptional: true }) trackId?: string;
  @TextField({ isOptional: true }) clientId?: string;
  @TextField({ isOptional: true }) alertText?: string;
  @FlagField() useAsAlert!: boolean;
  @FlagField() silent!: boolean;
  @FlagField() inApp!: boolean;
  @FlagField() live!: boolean;
  @FlagField() autoNotify!: boolean;
  @ObjectField(() => NotificationResponse, { isOptional: true }) notification?: NotificationResponse;
  @ObjectField(() => MessageFallbackResponse, { isOptional: true }) fallback?: MessageFallbackResponse;

  @ObjectsField(() => LocalizedContentResponse, {
    isOptional: true,
    description: 'the differences in other languages, by language tag',
  })
  localized?: Record<string, LocalizedContentResponse>;

  @FlagField({ isOptional: true, description: 'true for a test: it takes no promo codes' })
  isTest?: boolean;

  @FlagField({ isOptional: true, description: 'true if a message to named users counts for the frequency caps' })
  countsTowardsCap?: boolean;

  @FlagField({ isOptional: true, description: 'true if it ignores the frequency caps' }) ignoreFrequencyCap?: boolean;

  @CountField({ isOptional: true, description: 'the percentage of users who get nothing' }) holdout?: number;
  @ListField(() => VariantResponse, { isOptional: true }) variants?: VariantResponse[];
  @ObjectField(() => WinnerRuleResponse, { isOptional: true }) winner?: WinnerRuleResponse;

  @FlagField({ isOptional: true, description: 'true if web links lead through the tracker' }) trackLinks?: boolean;

  @TextField({
    isOptional: true,
    description: 'the base address of those links, when it comes from the address of the send',
  })
  linkBase?: string;

  @IdField({ isOptional: true, description: 'the template that the content comes from' }) templateId?: string;
  @CountField({ isOptional: true, description: 'the version of the template' }) templateVersion?: number;

  @JsonField({ isOptional: true, description: 'values that the texts read as `variables.<name>`' })
  variables?: JsonObject;

  @JsonField({ isOptional: true, description: EXTRA }) extra?: JsonObject;
}
