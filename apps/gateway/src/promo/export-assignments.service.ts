import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { AskedAssignments } from '@postrider/contracts';
import { PromoAssignmentsRepository, type PromoSetKey } from '@postrider/persistence';
import { csvLine } from '../segments/csv-line';
import { PromoSets } from './promo-sets.service';

const COLUMNS = ['code', 'userId', 'messageId', 'claimedAt'];

/** Assignments that one statement gives. */
const SLICE_SIZE = 1_000;

/** Writes who was given which code as CSV. */
@Injectable()
export class ExportAssignments {
  constructor(
    private readonly assignments: PromoAssignmentsRepository,
    private readonly promoSets: PromoSets,
  ) {}

  /**
   * CSV text (RFC 4180) in the order in which the codes were given. Memory holds one slice of it, and the next is read when
   * the caller has taken the last.
   *
   * @throws DomainError NOT_FOUND
   */
  async open(appId: string, id: string, asked: AskedAssignments): Promise<Readable> {
    const set = await this.promoSets.get(appId, id);
    return Readable.from(this.#lines(set, asked), { objectMode: false, highWaterMark: 65_536 });
  }

  async *#lines(set: PromoSetKey, asked: AskedAssignments): AsyncGenerator<string, void> {
    yield csvLine(COLUMNS);
    for (let { afterOrdinal } = asked; ;) {
      const slice = await this.assignments.list(set, { ...asked, afterOrdinal }, SLICE_SIZE);
      const last = slice.at(-1);
      if (!last) return;
      yield slice
        .map(({ code, userId, messageId, claimedAt }) => csvLine([code, userId, messageId, claimedAt.toISOString()]))
        .join('');
      if (slice.length < SLICE_SIZE) return;
      afterOrdinal = last.ordinal;
    }
  }
}
