import { DELIVERY_STATES, type DeliveryState, type JsonObject } from '@postrider/domain';
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
  @TextField()
  userId!: string;

  @TextsField()
  tags!: string[];

  @CountField()
  devices!: number;

  @TimeField()
  createdAt!: string;
}

/** Users whose ids begin with a prefix. */
export class UserListResponse {
  @ListField(() => ListedUserResponse)
  users!: ListedUserResponse[];

  @NextCursorField()
  nextCursor!: string | null;
}

/** A device of a user, its token shortened. */
@SaysOfClass({ additionalProperties: true })
export class UserDeviceResponse extends InstallationResponse {
  @JsonField({ description: 'the attributes of this device alone' })
  attributes!: JsonObject;
}

/** What a user carries. */
abstract class CarriedByUser {
  @TextField()
  userId!: string;

  @TextsField()
  tags!: string[];

  @TextsByNameField({ description: 'the values of key/value tags' })
  tagValues!: Record<string, string>;

  @JsonField()
  attributes!: JsonObject;
}

/** A user: what they carry, and their first hundred devices, the tokens shortened. */
export class UserResponse extends CarriedByUser {
  @ListField(() => UserDeviceResponse)
  devices!: UserDeviceResponse[];
}

/** A link that a user opened. */
export class OpenedLinkResponse {
  @TextField()
  link!: string;

  @TimeField()
  openedAt!: string;
}

/** All that is stored about a user. */
export class UserExportResponse extends CarriedByUser {
  @ListField(() => UserDeviceResponse)
  installations!: UserDeviceResponse[];

  @JsonListField({ description: 'with the deliveries of each' })
  messages!: JsonObject[];

  @ListField(() => OpenedLinkResponse)
  openedLinks!: OpenedLinkResponse[];

  @JsonListField({ description: 'the codes that the user was given' })
  promoCodes!: JsonObject[];
}

/** What a message became on one of a user's devices. */
export class UserDeliveryResponse {
  @IdField()
  messageId!: string;

  @IdField()
  installationId!: string;

  @FlagField()
  isCampaign!: boolean;

  @WordField(DELIVERY_STATES)
  state!: DeliveryState;

  @TextField({ isNullable: true })
  vendor!: string | null;

  @TextField({ isNullable: true })
  error!: string | null;

  @TextField({ isNullable: true })
  reason!: string | null;

  @TimeField()
  createdAt!: string;

  @ObjectField(() => MessageContentResponse, { description: 'the message' })
  content!: MessageContentResponse;
}

/** What a user was sent. */
export class UserDeliveryListResponse {
  @ListField(() => UserDeliveryResponse)
  deliveries!: UserDeliveryResponse[];

  @NextCursorField()
  nextCursor!: string | null;
}

/** What was erased of a user. */
export class ErasureResponse {
  @CountField()
  devices!: number;

  @CountField()
  messages!: number;

  @CountField()
  deliveries!: number;

  @CountField()
  links!: number;
}
