import type { JsonObject, JsonValue } from '@postrider/domain';
import {
  AnyJsonField,
  CountField,
  IdField,
  JsonField,
  ListField,
  ObjectField,
  TextField,
  TextsField,
} from '../validation/answers';
import { TextWarningResponse } from './send.response';

/** Why something cannot be rendered or sent. */
export class PreviewProblemResponse {
  @TextField() code!: string;
  @TextField() message!: string;
}

/** A button as a device would show it. */
export class ActionPreviewResponse {
  @TextField({ isOptional: true }) id?: string;
  @TextField({ isOptional: true }) title?: string;
  @TextField({ isOptional: true }) url?: string;
}

/** What one device would get. */
export class DevicePreviewResponse {
  @IdField() installationId!: string;
  @TextField({ isNullable: true }) deviceType!: string | null;

  @TextField({
    isNullable: true,
    description: 'the vendor that would be used now; null when the device cannot be reached',
  })
  vendor!: string | null;

  @TextField({ isNullable: true, description: 'the tag of `localized` that is shown; null: the default' })
  language!: string | null;

  @ObjectField(() => PreviewProblemResponse, {
    isOptional: true,
    description: 'why it would receive nothing: it cannot be reached, or the message cannot be rendered for it',
  })
  problem?: PreviewProblemResponse;

  @TextField({ isOptional: true }) title?: string;
  @TextField({ isOptional: true }) body?: string;
  @TextField({ isOptional: true }) content?: string;
  @TextField({ isOptional: true }) clickUrl?: string;
  @ListField(() => ActionPreviewResponse, { isOptional: true }) actions?: ActionPreviewResponse[];
  @AnyJsonField({ isOptional: true }) data?: JsonValue;
  @JsonField({ isOptional: true, description: 'the payload that is sent to the vendor or over the connection' })
  payload?: JsonObject;
  @CountField({ isOptional: true, description: 'the size in bytes, as the vendor counts it' }) bytes?: number;

  @CountField({ isOptional: true, description: "the vendor's limit in bytes; a connection has none" })
  limit?: number;

  @TextsField({ description: 'for example variables without a value' }) warnings!: string[];
}

/** The SMS that a user would get in place of the message: its text, and the reason why it would not be sent. */
export class SmsPreviewResponse {
  @TextField({ isNullable: true, description: 'the tag of `localized` that is shown; null: the default' })
  language!: string | null;

  @TextField({ isOptional: true }) text?: string;
  @ObjectField(() => PreviewProblemResponse, { isOptional: true }) problem?: PreviewProblemResponse;
}

/** What one user would get. */
export class UserPreviewResponse {
  @TextField() userId!: string;

  @ListField(() => DevicePreviewResponse, { description: 'their devices, the most recently used first' })
  devices!: DevicePreviewResponse[];

  @ObjectField(() => SmsPreviewResponse, { isOptional: true, description: 'present when the message has a fallback' })
  sms?: SmsPreviewResponse;
}

/** The answer of `preview`. */
export class PreviewResponse {
  @ListField(() => UserPreviewResponse) users!: UserPreviewResponse[];

  @ListField(() => TextWarningResponse, {
    isOptional: true,
    description:
      'names in texts that never have a value, variables that a text shows and that nothing gives, variables of the request that no text reads, and a fallback whose delay is not less than ttl; if there are any',
  })
  warnings?: TextWarningResponse[];
}
