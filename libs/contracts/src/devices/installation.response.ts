import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '@postrider/domain';
import { CountField, FlagField, IdField, JsonField, TextField, TextsField, TimeField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** How many devices were changed. */
export class CountResponse {
  @CountField() count!: number;
}

/** An installation as its device and the application's backend get it. Unknown fields are beside these. */
@SaysOfClass({ additionalProperties: true })
export class InstallationResponse {
  @IdField() id!: string;
  @TextField() appId!: string;
  @TextField() userId!: string;
  @TextField({ isNullable: true }) deviceType!: string | null;
  @TextField({ isNullable: true }) deviceToken!: string | null;
  @TextField({ isNullable: true }) tokenStatus!: string | null;
  @TextField({ isNullable: true }) pushType!: string | null;
  @TextField({ isNullable: true }) osVersion!: string | null;
  @TextField({ isNullable: true }) clientVersion!: string | null;
  @CountField() launchCount!: number;
  @TimeField() launchTime!: string;
  @TimeField() installDate!: string;
  @TextsField() tags!: string[];

  @TextsField({
    description: 'memberships of channels other than the default ones, as public/<name> or private/<name>',
  })
  subscriptions!: string[];

  @TextField({ isNullable: true }) timeZone!: string | null;
  @TextField({ isNullable: true }) locale!: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: { lat: { type: 'number' }, lng: { type: 'number' } },
    required: ['lat', 'lng'],
  })
  location!: { lat: number; lng: number } | null;

  @FlagField() realtime!: boolean;
  @FlagField() protected!: boolean;
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;

  @TextField({
    isOptional: true,
    description: 'a link that was clicked before the app was installed, in the answer to the first registration',
  })
  deferredDeepLink?: string;

  @JsonField({ isOptional: true, description: "the user's attributes" }) userInfo?: JsonObject;
}

/** The presence of an installation. */
export class PresenceResponse {
  @IdField() installationId!: string;
  @FlagField({ description: 'true if the device has an open connection now' }) online!: boolean;

  @TimeField({ isNullable: true, description: 'when it connected; null when it is not connected' })
  connectedAt!: string | null;

  @TimeField({ isNullable: true, description: 'when it last connected or disconnected; null when it never did' })
  lastSeenAt!: string | null;
}
