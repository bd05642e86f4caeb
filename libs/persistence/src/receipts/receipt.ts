import {
  type DeviceId,
  type DeliveryState,
  type ReceiptKind,
  deliveryStateRank,
  isUuid,
  STATE_PROVED_BY,
} from '@postrider/domain';

/** One thing that a device reported about a message. */
export interface Receipt {
  /** Null if the device named only the tracking id. An id of another form finds nothing. */
  messageId: string | null;
  trackId?: string | null;
  kind: ReceiptKind;
  /** By the clock of the device. Null: now. */
  at: Date | null;
  /** The id of an `action`. An action without one still counts as opened. */
  actionId?: string | null;
  /** The address of a `link`. */
  link?: string | null;
}

/** An action that was taken or a link that was opened. */
export interface Click {
  kind: 'action' | 'link';
  name: string;
  at: Date;
}

/** The reports of one device about one message, combined. */
export interface DeviceReceipts {
  appId: string;
  /** `installations.id` */
  deviceId: DeviceId;
  messageId: string;
  /** The furthest state that was reported. `pending`, which changes nothing, if there are only opened links. */
  state: DeliveryState;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
  clicks?: Click[];
}

/** The time column that each state sets. */
const TIME_OF = {
  delivered: 'deliveredAt',
  shown: 'shownAt',
  opened: 'openedAt',
  dismissed: 'dismissedAt',
} as const satisfies Partial<Record<DeliveryState, keyof DeviceReceipts>>;
const TIMES = ['deliveredAt', 'shownAt', 'openedAt', 'dismissedAt'] as const;

/**
 * Combines the reports of a device to one entry for each message: the furthest state, the first time of each state (of
 * `delivered`, the first time of any), each action and link once. Receipts without a message id are left out. If the clock
 * of a device is ahead of ours, a report counts as made now.
 */
export function combineReceipts(
  device: { appId: string; deviceId: DeviceId },
  receipts: readonly Receipt[],
  now: Date,
): DeviceReceipts[] {
  return mergeReceipts(
    receipts.flatMap((receipt) => {
      if (receipt.messageId === null || !isUuid(receipt.messageId)) return [];
      const proved = STATE_PROVED_BY[receipt.kind];
      const state = proved ?? 'pending';
      const at = receipt.at === null || receipt.at > now ? now : receipt.at;
      const entry: DeviceReceipts = {
        ...device,
        messageId: receipt.messageId.toLowerCase(),
        state,
        deliveredAt: null,
        shownAt: null,
        openedAt: null,
        dismissedAt: null,
        clicks: clicksOf(receipt, at),
      };
      // Many apps never report `delivered`. A device that showed a message, or whose user reacted to it, has got it.
      if (proved !== null) entry[TIME_OF[proved]] = entry.deliveredAt = at;
      return [entry];
    }),
  );
}

/**
 * Makes one entry for each device and message, in the order of application, message and device, in which they are
 * locked.
 */
export function mergeReceipts(entries: readonly DeviceReceipts[]): DeviceReceipts[] {
  const merged = new Map<string, DeviceReceipts>();
  for (const entry of entries) {
    const key = `${entry.appId} ${entry.messageId} ${entry.deviceId.padStart(20, '0')}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? entry : together(known, entry));
  }
  return [...merged].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
}

function together(one: DeviceReceipts, other: DeviceReceipts): DeviceReceipts {
  const isFurther = deliveryStateRank(other.state) > deliveryStateRank(one.state);
  const both: DeviceReceipts = { ...one, state: isFurther ? other.state : one.state };
  for (const time of TIMES) both[time] = earlier(one[time], other[time]);
  both.clicks = firstClicks([...(one.clicks ?? []), ...(other.clicks ?? [])]);
  return both;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return other < one ? other : one;
}

function clicksOf({ kind, actionId, link }: Receipt, at: Date): Click[] {
  if (kind === 'action' && actionId) return [{ kind, name: actionId, at }];
  return kind === 'link' && link ? [{ kind, name: link, at }] : [];
}

function firstClicks(clicks: readonly Click[]): Click[] {
  if (clicks.length < 2) return [...clicks];
  const first = new Map<string, Click>();
  for (const click of clicks) {
    const key = `${click.kind} ${click.name}`;
    const known = first.get(key);
    if (known === undefined || click.at < known.at) first.set(key, click);
  }
  return [...first.values()];
}
