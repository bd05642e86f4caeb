import type { JsonObject } from '@postrider/domain';

/** Rules as a request writes them; at least one of the two is there. */
export interface SavedRules {
  target: JsonObject | null;
  segment: JsonObject | null;
}

/** A segment that is kept under a name. */
export interface SavedSegment extends SavedRules {
  segmentId: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The select list that gives a `SavedSegment`. */
export const SEGMENT_COLUMNS = `segment_id AS "segmentId", name, target, segment, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

/** The values of the columns `target` and `segment`. */
export function rulesColumns({ target, segment }: SavedRules): [target: string | null, segment: string | null] {
  return [target && JSON.stringify(target), segment && JSON.stringify(segment)];
}
