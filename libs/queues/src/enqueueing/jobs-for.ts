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
export interface ResolveJob {
  payload: ResolveMessagePayload;
  /** Null: at once. */
  notBefore: Date | null;
}

/** The most messages of one job: one statement resolves this many in some hundredths of a second. */
const MAX_MESSAGES = 200;

/** The jobs for `messages`: those of one application that may share one do, in the order of their times. */
export function jobsFor(messages: readonly MessageToResolve[]): ResolveJob[] {
  const alone = messages.filter(({ isBatchable = false }) => !isBatchable).map((message) => jobOf([message]));
  const byApplication = new Map<string, MessageToResolve[]>();
  for (const message of messages) {
    if (message.isBatchable !== true) continue;
    const ofApplication = byApplication.get(message.appId);
    if (ofApplication) ofApplication.push(message);
    else byApplication.set(message.appId, [message]);
  }
  return [...alone, ...[...byApplication.values()].flatMap(jobsOfOne)];
}

function jobsOfOne(messages: readonly MessageToResolve[]): ResolveJob[] {
  const inOrder = [...messages].sort((one, other) => timeOf(one) - timeOf(other));
  const jobs: ResolveJob[] = [];
  for (let from = 0; from < inOrder.length; from += MAX_MESSAGES) {
    jobs.push(jobOf(inOrder.slice(from, from + MAX_MESSAGES)));
  }
  return jobs;
}

function jobOf([first, ...others]: readonly MessageToResolve[]): ResolveJob {
  const { appId, messageId, notBefore = null } = first as MessageToResolve;
  const further = others.map((other) => other.messageId);
  return { payload: { appId, messageId, ...(further.length === 0 ? {} : { further }) }, notBefore };
}

function timeOf({ notBefore = null }: MessageToResolve): number {
  return notBefore === null ? 0 : notBefore.getTime();
}
