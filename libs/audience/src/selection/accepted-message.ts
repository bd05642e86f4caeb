import type { DevicesByVendor, EdgeIds, WrittenPage } from './audience-selection';

/** What acceptance gives. */
export interface AcceptedMessage {
  /** Devices that the message is sent to. */
  count: number;
  /** The same by vendor; null where the audience is yet to be resolved. */
  byVendor: DevicesByVendor | null;
  /** Pages to enqueue now. */
  pages: WrittenPage[];
  /** Edges to wake up now: devices are connected there. */
  edges: EdgeIds;
  /** Whether the audience worker has to resolve the audience into pages now. */
  needsResolving: boolean;
}

/** How a message is accepted. */
export interface AcceptanceOptions {
  pageSize: number;
}
