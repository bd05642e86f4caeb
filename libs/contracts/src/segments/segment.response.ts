import type { JsonObject } from '@postrider/domain';
import { WaitingDevicesOverview } from '../statistics/overview.response';
import {
  AnyJsonField,
  CountField,
  FlagField,
  IdField,
  IntegerField,
  ListField,
  ObjectField,
  NextCursorField,
  NumberField,
  TextField,
  TextsField,
  TimeField,
} from '../validation/answers';
import { RuleGroupField, TargetField } from './rule-group';

/** The size of a segment at one time. */
export class SegmentSizeResponse {
  @TimeField() at!: string;
  @CountField({ description: 'all devices that matched' }) devices!: number;
  @CountField({ description: 'devices that a message would have been sent to' }) reachable!: number;

  @CountField({ isNullable: true, description: 'their users; null when counting them took too long' })
  users!: number | null;
}

/** A saved segment. */
export class SegmentResponse {
  @IdField() id!: string;
  @TextField() name!: string;
  @TargetField() target?: JsonObject;
  @RuleGroupField() segment?: JsonObject;
  @CountField({ description: 'rises with each change; a change may name the one that it was made from' })
  revision!: number;
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;

  @ObjectField(() => SegmentSizeResponse, {
    isNullable: true,
    description: 'its last measured size; null until it is measured as it is now',
  })
  size!: SegmentSizeResponse | null;

  @ListField(() => SegmentSizeResponse, {
    isOptional: true,
    description:
      'in a list that asks for it: the last size that was measured on each of the last 30 days (UTC) and today, oldest first',
  })
  trend?: SegmentSizeResponse[];
}

/** The answer of `GET /api/segments`. */
export class SegmentsResponse {
  @ListField(() => SegmentResponse) segments!: SegmentResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** The answer of `POST /api/segments/count`. */
export class SegmentCountResponse {
  @CountField({ description: 'devices that a message to the group would be sent to' }) count!: number;
  @CountField({ description: 'all devices of the group' }) devices!: number;
  @CountField({ isOptional: true, description: 'their users; absent unless requested' }) users?: number;

  @ListField(() => WaitingDevicesOverview, {
    isOptional: true,
    description:
      'devices of the group that could be reached if these vendors were connected, most first; if there are any',
  })
  waitingForVendors?: WaitingDevicesOverview[];

  @NumberField() tookMs!: number;
}

/** A value that a field has on some devices. */
export class SegmentFieldValueResponse {
  @AnyJsonField({ description: 'text, a number or a boolean' }) value!: string | number | boolean;
  @CountField() devices!: number;
}

/** A field that rules can be about. */
export class SegmentFieldResponse {
  @TextField({
    description: 'as a rule names it: `deviceType`, `tags`, `tags.<tag>` for the value of a tag, or an attribute',
  })
  name!: string;

  @CountField({
    description: 'the number of devices with a value; for tags, the number of tags that they have together',
  })
  devices!: number;

  @ListField(() => SegmentFieldValueResponse, {
    description: 'its most frequent values; for attributes and values of tags, only those that several devices have',
  })
  values!: SegmentFieldValueResponse[];
}

/** The answer of `GET /api/segments/fields`. */
export class SegmentFieldsResponse {
  @CountField({ description: 'how many devices were looked at: the newest' }) devices!: number;
  @ListField(() => SegmentFieldResponse) fields!: SegmentFieldResponse[];
}

/** The effect of one rule on a group. */
export class RuleEffectResponse {
  @TextField({ description: 'the path of the rule, such as segment.all[2]' }) path!: string;
  @CountField({ description: 'devices of the channel that match this rule alone' }) alone!: number;
  @CountField({ description: 'devices in the group without this rule' }) without!: number;
  @IntegerField({
    description: 'devices that this rule removes from the group; below 0 for a rule of `any` that adds devices',
  })
  removes!: number;
}

/** The result of one rule for a device. */
export class RuleAnswerResponse {
  @TextField({ description: 'the path of the rule, such as segment.all[2]' }) path!: string;
  @FlagField() holds!: boolean;
  @TextField() why!: string;
}

/** Why one device is in a group, or not. */
export class ExplainedDeviceResponse {
  @IdField() installationId!: string;
  @TextField() userId!: string;
  @FlagField({ description: 'true if a message to the group would be sent to it' }) isIn!: boolean;
  @FlagField({ description: 'true if it matches the rules' }) isMatch!: boolean;
  @FlagField({ description: 'true if it is on the channel' }) isMember!: boolean;
  @FlagField() isReachable!: boolean;
  @TextsField() reasons!: string[];
  @ListField(() => RuleAnswerResponse) rules!: RuleAnswerResponse[];
}

/** The answer of `POST /api/segments/explain`. */
export class SegmentExplanationResponse {
  @CountField({ description: 'devices that a message to the group would be sent to' }) count!: number;
  @CountField({ description: 'all devices of the group' }) devices!: number;
  @ListField(() => RuleEffectResponse) rules!: RuleEffectResponse[];

  @ListField(() => ExplainedDeviceResponse, {
    isOptional: true,
    description: 'present when userId or installationId was sent',
  })
  explained?: ExplainedDeviceResponse[];

  @NumberField() tookMs!: number;
}

/** The size of a saved segment over time, oldest first: by the hour for two weeks, before that by the day. */
export class SegmentSizesResponse {
  @IdField() id!: string;
  @ListField(() => SegmentSizeResponse) sizes!: SegmentSizeResponse[];
}
