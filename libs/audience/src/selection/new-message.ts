import type { Lane, MessageContent, MessageKind } from '@postrider/domain';

/** A message about to be accepted: everything but its audience. */
export interface NewMessage {
  /** A UUID version 7 made at `acceptedAt`: it decides the partition. */
  id: string;
  kind: MessageKind;
  isCampaign: boolean;
  lane: Lane;
  content: MessageContent;
  trackId?: string;
  clientId?: string;
  batchId?: string;
  acceptedAt: Date;
  expiresAt: Date;
  /** When and how fast it is sent; left out: at once, as fast as can be. */
  schedule?: MessageSchedule;
}

/** When and how fast a message is sent. */
export interface MessageSchedule {
  /** Devices per second. */
  rate?: number;
  /** When its audience is resolved: for `localTime` the moment of the first time zone. */
  sendAt?: Date;
  /** What clocks show where each device is when it gets it, as if that were UTC. */
  localTime?: Date;
  /** How long it lives from each time zone's moment on. */
  ttlSeconds: number;
  ignoreQuietHours: boolean;
}
