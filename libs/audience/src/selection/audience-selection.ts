import type { Channel, DeliveryVendor, JsonObject, PushVendor, Reach } from '@postrider/domain';

/** Who a message is for: named users, every member of the channel, or whoever the rules choose. */
export type AudienceMembers =
  | { kind: 'users'; userIds: string[] }
  | { kind: 'everyone' }
  | { kind: 'rules'; target?: JsonObject; segment?: JsonObject };

/** A validated audience. Members of the channel only, and only as far as `reach` allows. */
export interface AudienceSelection {
  appId: string;
  acceptedAt: Date;
  channel: Channel;
  who: AudienceMembers;
  reach: Reach;
}

/** A number of devices by the way they are reached. Absent: none. */
export type DevicesByVendor = Partial<Record<DeliveryVendor, number>>;

/** Edges that hold connections of devices that a message goes to: whom to wake up. */
export type EdgeIds = string[];

/** A page that was written: what its delivery job needs to name it. */
export interface WrittenPage {
  pageId: string;
  vendor: PushVendor;
  /** ISO 8601; null or left out: at once. */
  notBefore?: string | null;
}
