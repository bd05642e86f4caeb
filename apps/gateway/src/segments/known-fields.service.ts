import type { SegmentFieldsResponse } from '@postrider/contracts';
import { SegmentFieldsRepository } from '@postrider/persistence';
import { Injectable } from '@nestjs/common';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';

/** Enough to contain the usual fields of rules, and equally fast for any number of devices. */
const LOOKED_AT = { devices: 2_000, fields: 200, values: 50 };

/** The fields and values from which a person who writes rules can choose. */
@Injectable()
export class KnownFields {
  constructor(
    private readonly fields: SegmentFieldsRepository,
    private readonly heavyReads: HeavyReads,
  ) {}

  /** The fields of the newest devices. @throws the errors of `HeavyReads` */
  list(caller: HeavyCaller): Promise<SegmentFieldsResponse> {
    return this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, (executor) =>
      this.fields.find(executor, caller.appId, LOOKED_AT),
    );
  }
}
