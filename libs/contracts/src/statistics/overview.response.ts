import { PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import {
  CountField,
  CountsField,
  FlagField,
  ListField,
  ObjectField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';

const KINDS = [
  'no_vendor',
  'credentials',
  'breaker',
  'quarantine',
  'promo',
  'lag',
  'webhooks',
  'identity_key',
] as const;
const SEVERITIES = ['warning', 'error'] as const;

/**
 * The messages that left since a moment that the reader chose, without messages that are scheduled, or were cancelled
 * before their time.
 */
export class SendsOverview {
  @TimeField({ description: 'when it was counted' }) asOf!: string;
  @TimeField() since!: string;
  @CountField() messages!: number;
  @CountField() campaigns!: number;
  @CountField({ description: 'devices that these were sent to, as answered when they were accepted' }) devices!: number;
  @CountField({ description: 'devices that reported delivery of these messages' }) delivered!: number;
  @CountField() opened!: number;
}

/**
 * The devices that these messages were not sent to, and why, by the codes of `skipped` of a message. They are not among
 * `devices` of `sends`.
 */
export class SkipsOverview {
  @TimeField({ description: 'when they were counted' }) asOf!: string;
  @TimeField() since!: string;
  @CountField() devices!: number;
  @CountsField({ description: 'by the reason' }) byReason!: Record<string, number>;

  @CountsField({
    isOfEach: true,
    description: 'the devices of each vendor, by the reason; devices without a token have none',
  })
  byVendor!: Record<string, Record<string, number>>;
}

/** Devices of one type. */
export class DeviceTypeOverview {
  @TextField({ isNullable: true }) deviceType!: string | null;
  @CountField() total!: number;
  @CountField() reachable!: number;
}

/** Devices with a usable token of a vendor without credentials: nothing reaches them until it has some. */
export class WaitingDevicesOverview {
  @WordField(PUSH_VENDORS) vendor!: PushVendor;
  @CountField() devices!: number;
}

/** All devices, and those that a message would be sent to. */
export class DevicesOverview {
  @TimeField({ description: 'when they were counted' }) asOf!: string;
  @CountField() total!: number;
  @CountField() reachable!: number;
  @ListField(() => DeviceTypeOverview) byType!: DeviceTypeOverview[];

  @ListField(() => WaitingDevicesOverview, {
    description: 'devices that could be reached if these vendors were connected, most first',
  })
  waitingForVendors!: WaitingDevicesOverview[];
}

/** Devices that hold a connection. */
export class OnlineOverview {
  @TimeField({ description: 'when they were counted' }) asOf!: string;
  @CountField() devices!: number;
}

/** The number of devices that vendors were called about in one span. */
export class ThroughputPoint {
  @TimeField() at!: string;
  @CountField() devices!: number;
}

/** The devices that vendors were called about, oldest first. Spans without any are included with 0. */
export class ThroughputOverview {
  @CountField() spanSeconds!: number;
  @ListField(() => ThroughputPoint) points!: ThroughputPoint[];
}

/** Something that needs attention. */
export class AttentionResponse {
  @WordField(KINDS) kind!: (typeof KINDS)[number];
  @WordField(SEVERITIES) severity!: (typeof SEVERITIES)[number];
  @TextField({ isNullable: true, description: 'the vendor that it is about' }) vendor!: string | null;
  @TimeField({ isNullable: true }) since!: string | null;
  @TextField({ description: 'the problem, in a sentence' }) message!: string;
}

/** The first steps of a new application: a message was sent, a device registered, a vendor configured. */
export class FirstStepsOverview {
  @FlagField() hasVendor!: boolean;
  @FlagField() hasDevice!: boolean;
  @FlagField() hasMessage!: boolean;
}

/** The overview of an application: what was sent, the reachable devices, and what needs attention. */
export class OverviewResponse {
  @TimeField() at!: string;

  @ObjectField(() => SendsOverview, {
    isNullable: true,
    description: 'at most 15 seconds old; null while it is counted for the first time',
  })
  sends!: SendsOverview | null;

  @ObjectField(() => SkipsOverview, {
    isNullable: true,
    description: 'at most a minute old; null while they are counted for the first time',
  })
  skips!: SkipsOverview | null;

  @ObjectField(() => DevicesOverview, {
    isNullable: true,
    description: 'counted at most once a minute; null while they are counted for the first time',
  })
  devices!: DevicesOverview | null;

  @ObjectField(() => OnlineOverview, {
    isNullable: true,
    description: 'null while they are counted for the first time',
  })
  online!: OnlineOverview | null;

  @ObjectField(() => ThroughputOverview) throughput!: ThroughputOverview;
  @ListField(() => AttentionResponse) attention!: AttentionResponse[];
  @ObjectField(() => FirstStepsOverview) steps!: FirstStepsOverview;
}

/** The campaigns that left on one day, and their receipts until now. */
export class CampaignDayResponse {
  @TimeField({ description: 'the beginning of the day (UTC)' }) at!: string;
  @CountField() campaigns!: number;

  @CountField({ description: 'the sum of their `count`: what rates are a share of' })
  devices!: number;

  @CountField() delivered!: number;
  @CountField() opened!: number;
  @CountField() clicked!: number;
}

/** The answer of `GET /api/push/overview/campaigns`. */
export class CampaignDaysResponse {
  @TimeField({
    isNullable: true,
    description: 'when they were counted; null while they are counted for the first time',
  })
  asOf!: string | null;

  @ListField(() => CampaignDayResponse, {
    description:
      'the last 30 days and today, oldest first, also those without a campaign; cancelled campaigns are left out',
  })
  days!: CampaignDayResponse[];
}
