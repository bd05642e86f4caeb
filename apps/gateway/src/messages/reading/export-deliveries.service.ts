import { Readable } from 'node:stream';
import type { DeliveriesResponse, DeliveryResponse, ExportDeliveriesQuery } from '@postrider/contracts';
import { Injectable } from '@nestjs/common';
import type { HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { csvLine } from '../../http/csv';
import { ListDeliveries } from './list-deliveries.service';

const COLUMNS = [
  ...(['userId', 'installationId', 'state', 'vendor', 'vendorMessageId', 'error', 'reason', 'attempt'] as const),
  ...(['language', 'variant', 'promoCode', 'createdAt', 'sentAt', 'deliveredAt', 'shownAt', 'openedAt'] as const),
  ...(['dismissedAt', 'updatedAt'] as const),
] satisfies (keyof DeliveryResponse)[];

/** Deliveries that one statement gives. */
const SLICE_SIZE = 1_000;

/** Writes a message's deliveries as CSV. */
@Injectable()
export class ExportDeliveries {
  constructor(private readonly listDeliveries: ListDeliveries) {}

  /**
   * A message's deliveries as CSV text (RFC 4180), as the list has them. Memory holds one slice of them, and the next is read when the
   * caller has taken the last. A delivery is written as it was when its slice was read.
   *
   * @throws what the list does for the first slice: later failures break the stream off
   */
  async open(caller: HeavyCaller, id: string, query: ExportDeliveriesQuery): Promise<Readable> {
    const first = await this.#slice(caller, id, query, undefined);
    return Readable.from(
      this.#lines(first, (cursor) => this.#slice(caller, id, query, cursor)),
      { objectMode: false },
    );
  }

  #slice(
    caller: HeavyCaller,
    id: string,
    query: ExportDeliveriesQuery,
    cursor: string | undefined,
  ): Promise<DeliveriesResponse> {
    return this.listDeliveries.list(caller, id, { ...query, limit: SLICE_SIZE, ...(cursor ? { cursor } : {}) });
  }

  async *#lines(
    first: DeliveriesResponse,
    next: (cursor: string) => Promise<DeliveriesResponse>,
  ): AsyncGenerator<string> {
    yield csvLine(COLUMNS);
    for (let slice = first; ;) {
      if (slice.deliveries.length > 0) yield slice.deliveries.map(lineOf).join('');
      if (slice.nextCursor === null) return;
      slice = await next(Buffer.from(slice.nextCursor, 'base64url').toString('utf8'));
    }
  }
}

function lineOf(delivery: DeliveryResponse): string {
  return csvLine(COLUMNS.map((column) => String(delivery[column] ?? '')));
}
