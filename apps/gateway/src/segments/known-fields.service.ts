import type { SegmentFieldsResponse } from '@postrider/contracts';
import { SegmentFieldsRepository } from '@postrider/persistence';
import { Injectable } from '@nestjs/common';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';

/** Enough to meet what rules are written about, and as quick however many devices there are. */
const LOOKED_AT = { devices: 2_000, fields: 200, values: 50 };

/** Which fields and values somebody who writes rules can choose from. */
@Injectable()
export class KnownFields {
  constructor(
    private readonly fields: SegmentFieldsRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /** The fields that the newest devices have. @throws what `HeavyReads` does */
  list(caller: HeavyCaller): Promise<SegmentFieldsResponse> {
    return this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, (executor) =>
      this.fields.find(executor, caller.appId, LOOKED_AT),
    );
  }
}
