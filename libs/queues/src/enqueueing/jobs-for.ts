import { groupBy, inParts } from '@postrider/domain';
import type { ResolveMessagePayload } from '../jobs';

/** A message to be resolved. */
export interface MessageToResolve {
  appId: string;
  messageId: string;
  /** When its job is due. Null or left out: at once. */
  notBefore?: Date | null;
  /** True if it may share a job with others. */
  isBatchable?: boolean;
}

/** A job to be enqueued. */
interface ResolveJob {
  payload: ResolveMessagePayload;
  /** Null: at once. */
  notBefore: Date | null;
}

/** The most messages of one job: one statement resolves this many in some hundredths of a second. */
const MAX_MESSAGES = 200;

/** The jobs for `messages`: those of one application that may share one do, in the order of their times. */
export function jobsFor(messages: readonly MessageToResolve[]): ResolveJob[] {
  const alone = messages.filter(({ isBatchable = false }) => !isBatchable).map((message) => jobOf([message]));
  const batchable = messages.filter(({ isBatchable }) => isBatchable === true);
  const byApplication = groupBy(batchable, ({ appId }) => appId);
  return [...alone, ...[...byApplication.values()].flatMap(jobsOfOne)];
}

function jobsOfOne(messages: readonly MessageToResolve[]): ResolveJob[] {
  const inOrder = [...messages].sort((one, other) => timeOf(one) - timeOf(other));
  return [...inParts(inOrder, MAX_MESSAGES)].map(jobOf);
}

function jobOf([first, ...others]: readonly MessageToResolve[]): ResolveJob {
  const { appId, messageId, notBefore = null } = first as MessageToResolve;
  const further = others.map((other) => other.messageId);
  return { payload: { appId, messageId, ...(further.length === 0 ? {} : { further }) }, notBefore };
}

function timeOf({ notBefore = null }: MessageToResolve): number {
  return notBefore === null ? 0 : notBefore.getTime();
}
