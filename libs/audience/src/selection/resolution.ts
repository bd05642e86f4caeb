import type { Lane } from '@postrider/domain';
import type { EdgeIds, WrittenPage } from './audience-selection';

/** One step of resolving a message. */
export interface SliceRequest {
  appId: string;
  messageId: string;
  now: Date;
  /** How many installations are looked at, at most. */
  windowSize: number;
  /** How many recipients are taken from them, at most. */
  sliceSize: number;
  pageSize: number;
}

/** What came of one step. */
export type SliceOutcome =
  /** Committed. `found`: recipients, reachable or not; `reached`: those of them that the message is sent to. */
  | {
      kind: 'resolved';
      lane: Lane;
      pages: WrittenPage[];
      edges: EdgeIds;
      found: number;
      reached: number;
      isFinished: boolean;
    }
  /** Somebody else resolves this message at this moment; nothing was written. */
  | { kind: 'taken' }
  /** It is not resolved before its time. */
  | { kind: 'early'; startsAt: Date }
  /** Nothing to resolve: resolved already, or no such message. */
  | { kind: 'over' };
