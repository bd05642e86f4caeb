import type { DeliveryState, ReceiptKind } from '@postrider/domain';

/** One thing that a device reported about a message. */
export interface Receipt {
  /** Null when the device named only the tracking id. What is no id of ours finds nothing. */
  messageId: string | null;
  trackId?: string | null;
  kind: ReceiptKind;
  /** By the device's clock; null: now. */
  at: Date | null;
  /** Of an `action`, which counts as opened even without one. */
  actionId?: string | null;
  /** Of a `link`. */
  link?: string | null;
}

/** An action that was taken or a link that was opened. */
export interface Click {
  kind: 'action' | 'link';
  name: string;
  at: Date;
}

/** What one device reported about one message, all its reports taken together. */
export interface DeviceReceipts {
  appId: string;
  /** `installations.id` */
  deviceId: string;
  messageId: string;
  /** The furthest state that was reported; `pending`, which moves nothing, when there are only opened links. */
  state: DeliveryState;
  /** `deliveryStateRank(state)`. */
  rank: number;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
  clicks?: Click[];
}
