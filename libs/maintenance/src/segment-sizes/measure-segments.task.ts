import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LOCK_IDS } from '@postrider/persistence';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { MeasureSegmentService } from './measure-segment.service';

/** A segment that was just saved is measured within this time, when nothing else is. */
const LOOK_MS = 2_000;
/** After a count the database has this many times as long for everything else: a fifth of one core, at most. */
const REST = 4;

/**
 * Keeps the sizes of saved segments over time: measures one segment at a time, that which was due longest first, and rests. With
 * more segments than it has time for each is measured less often, and campaigns wait for none. Looks every two seconds; the rest
 * is a part of the run, because no other worker may measure meanwhile.
 */
@Injectable()
export class MeasureSegments implements MaintenanceTask {
  readonly name = 'measure-segments';
  readonly intervalMs = LOOK_MS;
  readonly lock = LOCK_IDS.measureSegments;

  constructor(private readonly measureSegment: MeasureSegmentService) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const tookMs = await this.measureSegment.measureOne();
    if (tookMs === null) return false;
    await pause(tookMs * REST, undefined, { signal }).catch(() => undefined);
    return true;
  }
}
