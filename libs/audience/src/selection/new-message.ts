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
}
