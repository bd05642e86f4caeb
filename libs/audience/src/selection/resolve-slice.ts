import type { Executor } from '@postrider/persistence';
import { listTimeZones } from './list-time-zones.query';
import { needsZones, planZones } from './plan-zones';
import { readResolution } from './read-resolution.query';
import type { SliceOutcome, SliceRequest } from './resolution';
import { writeSlice } from './write-slice.query';

/**
 * Resolves the next stretch of a message's audience: pages and delivery rows are written and the progress is kept on the
 * message, all at once or not at all. Of any number of workers one gets a stretch, and a worker that dies leaves the rest to
 * the next one, so every recipient ends on exactly one page or delivery row.
 */
export async function resolveSlice(executor: Executor, request: SliceRequest): Promise<SliceOutcome> {
  const resolution = await readResolution(executor, request);
  if (!resolution) return { kind: 'over' };
  if (!('course' in resolution)) return { kind: 'early', ...resolution };
  const { course } = resolution;
  if (course === null) return writeSlice(executor, request, resolution);
  const zones = needsZones(course) ? await listTimeZones(executor, request.appId) : [];
  return writeSlice(executor, request, { ...resolution, plans: planZones(course, zones, request.now) });
}
