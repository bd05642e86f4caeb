import type { Readable } from 'node:stream';
import {
  type DeliveryResponse,
  type ExportDeliveriesQuery,
  type ListDeliveriesQuery,
  placeOf,
} from '@postrider/contracts';
import { Injectable } from '@nestjs/common';
import { EXPORT_PATIENCE_MS, type HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { csvLine, openText } from '../../http/csv';
import { ListDeliveries } from './list-deliveries.service';

const COLUMNS = [
  ...(['userId', 'installationId', 'state', 'vendor', 'vendorMessageId', 'error', 'reason', 'attempt'] as const),
  ...(['language', 'variant', 'promoCode', 'createdAt', 'sentAt', 'deliveredAt', 'shownAt', 'openedAt'] as const),
  ...(['dismissedAt', 'updatedAt'] as const),
] satisfies (keyof DeliveryResponse)[];

/** The number of deliveries that one statement reads. */
const SLICE_SIZE = 1_000;

/** Writes a message's deliveries as CSV. */
@Injectable()
export class ExportDeliveries {
  constructor(private readonly listDeliveries: ListDeliveries) {}

  /**
   * Returns a message's deliveries as CSV text (RFC 4180), in the order of the list. Memory holds one slice of them,
   * and the next one is read when the caller has consumed the last. Later slices wait for their turn among the
   * application's heavy reads. A delivery is written as it was when its slice was read.
   *
   * @throws the errors of the list for the first slice; later failures interrupt the stream
   */
  open(caller: HeavyCaller, id: string, query: ExportDeliveriesQuery): Promise<Readable> {
    return openText(this.#lines(caller, id, query));
  }

  async *#lines(caller: HeavyCaller, id: string, query: ExportDeliveriesQuery): AsyncGenerator<string, void> {
    let text = csvLine(COLUMNS);
    let asked: ListDeliveriesQuery = { ...query, limit: SLICE_SIZE };
    let patienceMs: number | undefined;
    for (;;) {
      const { deliveries, nextCursor } = await this.listDeliveries.list(caller, id, asked, patienceMs);
      text += deliveries.map(lineOf).join('');
      if (text !== '') yield text;
      if (nextCursor === null) return;
      asked = { ...asked, cursor: placeOf(nextCursor) };
      text = '';
      patienceMs = EXPORT_PATIENCE_MS;
    }
  }
}

function lineOf(delivery: DeliveryResponse): string {
  return csvLine(COLUMNS.map((column) => String(delivery[column] ?? '')));
}
