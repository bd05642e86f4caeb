import {
  DELIVERY_STATES,
  DELIVERY_VENDORS,
  type DeliveryState,
  type DeliveryVendor,
  type JsonObject,
} from '@postrider/domain';
import { InstallationResponse } from '../devices/installation.response';
import { MessageContentResponse } from '../messages/message-content.response';
import {
  CountField,
  FlagField,
  IdField,
  JsonField,
  JsonListField,
  ListField,
  NextCursorField,
  ObjectField,
  TextField,
  TextsByNameField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** A user in a list. */
export class ListedUserResponse {
  @TextField() userId!: string;
  @TextsField() tags!: string[];
  @TextsByNameField({ description: 'the values of key/value tags' }) tagValues!: Record<string, string>;
  @CountField() devices!: number;
  @TimeField() createdAt!: string;
}

/** Users whose ids begin with a prefix. */
export class UserListResponse {
  @ListField(() => ListedUserResponse) users!: ListedUserResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** A device of a user, its token shortened. */
@SaysOfClass({ additionalProperties: true })
export class UserDeviceResponse extends InstallationResponse {
  @JsonField({ description: 'the attributes of this device alone' }) attributes!: JsonObject;
}

/** A device of a user, with the information if a message would reach it. */
@SaysOfClass({ additionalProperties: true })
export class ReachableDeviceResponse extends UserDeviceResponse {
  @WordField(DELIVERY_VENDORS, {
    isNullable: true,
    description: 'how a message that is sent now would reach it; null: not at all',
  })
  reachedBy!: DeliveryVendor | null;

  @TextField({ isNullable: true, description: 'why nothing reaches it, in a word' }) unreachableReason!: string | null;
}

/** The tags and attributes of a user. */
abstract class CarriedByUser {
  @TextField() userId!: string;
  @TextsField() tags!: string[];
  @TextsByNameField({ description: 'the values of key/value tags' }) tagValues!: Record<string, string>;
  @JsonField() attributes!: JsonObject;
}

/** A user: tags, attributes, and their first hundred devices with shortened tokens. */
export class UserResponse extends CarriedByUser {
  @ListField(() => ReachableDeviceResponse) devices!: ReachableDeviceResponse[];
}

/** A link that a user opened. */
export class OpenedLinkResponse {
  @TextField() link!: string;
  @TimeField() openedAt!: string;
}

/** A device whose vendor token the vendor called dead. */
export class UserUninstallResponse {
  @TimeField() time!: string;
  @IdField() installationId!: string;
  @TextField({ isNullable: true }) deviceType!: string | null;
}

/** Everything that is stored about a user. */
export class UserExportResponse extends CarriedByUser {
  @ListField(() => UserDeviceResponse) installations!: UserDeviceResponse[];
  @JsonListField({ description: 'the messages, with their deliveries' }) messages!: JsonObject[];
  @ListField(() => OpenedLinkResponse) openedLinks!: OpenedLinkResponse[];
  @JsonListField({ description: 'the promo codes assigned to the user' }) promoCodes!: JsonObject[];
  @ListField(() => UserUninstallResponse) uninstalls!: UserUninstallResponse[];
}

/** The delivery of a message to one of a user's devices. */
export class UserDeliveryResponse {
  @IdField() messageId!: string;
  @IdField() installationId!: string;
  @FlagField() isCampaign!: boolean;
  @WordField(DELIVERY_STATES) state!: DeliveryState;
  @TextField({ isNullable: true }) vendor!: string | null;
  @TextField({ isNullable: true }) error!: string | null;
  @TextField({ isNullable: true }) reason!: string | null;

  @TextField({
    isNullable: true,
    description: 'the tag of `localized` that it was sent in; null: the default, or not sent',
  })
  language!: string | null;

  @TextField({
    isNullable: true,
    description: 'the variant of the campaign that the user gets; null: held out, none yet, or the message has none',
  })
  variant!: string | null;

  @TimeField() createdAt!: string;
  @ObjectField(() => MessageContentResponse, { description: 'the message' }) content!: MessageContentResponse;
}

/** What a user got. */
export class UserDeliveryListResponse {
  @ListField(() => UserDeliveryResponse) deliveries!: UserDeliveryResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** What was erased of a user. */
export class ErasureResponse {
  @CountField() devices!: number;
  @CountField() messages!: number;
  @CountField() deliveries!: number;
  @CountField() links!: number;
}
