import type { Executor } from '@postrider/persistence';
import { isOnDefaultChannel } from './membership-sql';
import type { Resolution } from './read-resolution.query';
import { type MessagesToRead, readResolutions } from './read-resolutions.query';
import { resolveBatch, type BatchRow } from './resolve-batch.query';

/** Messages of one application that are resolved together, as far as they can be. */
export interface DueRequest extends MessagesToRead {
  pageSize: number;
}

/** What became of messages that were to be resolved together; those that need no resolving (any more) are left out. */
export interface DueOutcome {
  /** Resolved to their end. */
  resolved: BatchRow[];
  /** Steered, cancelled, expired, begun before, or to many devices: each is resolved alone (`resolveSlice`). */
  alone: string[];
  /** When the next of those begins whose time has not come. */
  nextAt: Date | null;
  /** Whether somebody held some of them at this moment. */
  isTaken: boolean;
}

/** Devices that one message has at most where it is resolved with others. */
const MOST_DEVICES = 100;

/**
 * Resolves those messages to named users whose time has come, many in one statement: their pages, delivery rows and counts are
 * written all at once or not at all. Each message is fenced by its own row: of any number of workers one gets it.
 */
export async function resolveDue(executor: Executor, request: DueRequest): Promise<DueOutcome> {
  const read = await readResolutions(executor, request);
  const outcome: DueOutcome = { resolved: [], alone: [], nextAt: null, isTaken: false };
  const kinds = new Map<string, { messageId: string; resolution: Resolution }[]>();
  for (const message of read) {
    if (message.kind === 'early') {
      if (outcome.nextAt === null || message.startsAt < outcome.nextAt) outcome.nextAt = message.startsAt;
    } else if (isBatchable(message.resolution)) {
      const kind = kindOf(message.resolution);
      kinds.set(kind, [...(kinds.get(kind) ?? []), message]);
    } else {
      outcome.alone.push(message.messageId);
    }
  }
  for (const ofKind of kinds.values()) await resolveKind(executor, request, ofKind, outcome);
  return outcome;
}

async function resolveKind(
  executor: Executor,
  { appId, now, pageSize }: DueRequest,
  ofKind: readonly { messageId: string; resolution: Resolution }[],
  outcome: DueOutcome,
): Promise<void> {
  const [first] = ofKind;
  if (!first) return;
  const { reach, channel } = first.resolution.selection;
  const written = await resolveBatch(executor, {
    appId,
    reach,
    isOnDefaultChannel: isOnDefaultChannel(channel),
    messages: ofKind.map(({ messageId, resolution: { inboxEndsAt } }) => ({ messageId, inboxEndsAt })),
    now,
    pageSize,
    mostDevices: MOST_DEVICES,
  });
  outcome.resolved.push(...written.filter(({ isLarge }) => !isLarge));
  outcome.alone.push(...written.filter(({ isLarge }) => isLarge).map(({ messageId }) => messageId));
  if (written.length < ofKind.length) outcome.isTaken = true;
}

function isBatchable({ selection, from, course, endState }: Resolution): boolean {
  return selection.who.kind === 'users' && from === '0' && course === null && endState === null;
}

/** Messages of one kind share a statement. */
function kindOf({ selection: { reach, channel } }: Resolution): string {
  return JSON.stringify([reach, isOnDefaultChannel(channel)]);
}
