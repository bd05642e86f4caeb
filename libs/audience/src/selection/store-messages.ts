import { groupBy, inParts } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { AcceptedMessage, AudienceSelection } from './audience-selection';
import { type NewMessage, messageRow, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-row';
import { type AcceptanceOptions, acceptForNamedUsers, kindOfDraft, type NamedDraft } from './named-acceptance';
import { type AudienceMeasure, measureAudience } from './read-audiences';

/** A message and its audience. */
export interface DraftedMessage {
  message: NewMessage;
  selection: AudienceSelection;
  /** The size of its audience, if it was counted before; only for a message that names no users. */
  measure?: AudienceMeasure;
}

/** The ceiling of a message that is sent later: devices that register until then get it too. */
const NO_CEILING = '9223372036854775807';

/** The most messages in one statement: its values are in memory, here and in PostgreSQL. */
const MOST_MESSAGES = 500;

/**
 * Accepts messages. When this returns (and the transaction of the caller, if there is one, is committed), they will be
 * sent, whatever happens to Redis or to this process. For messages to named users that leave at once (`isNamed`) the
 * pages are written too, many messages in one statement. The audience of any other message is counted here, and
 * resolved by the audience worker.
 *
 * A caller that needs all messages or none passes a transaction: there may be several statements.
 * @returns the result of each, in the order of `drafts`
 */
export async function storeMessages(
  executor: Executor,
  drafts: readonly DraftedMessage[],
  { pageSize }: AcceptanceOptions,
): Promise<AcceptedMessage[]> {
  const accepted = new Map<DraftedMessage, AcceptedMessage>();
  for (const together of inStatements(drafts.filter(isNamed))) {
    const outcomes = await acceptForNamedUsers(executor, together, pageSize);
    outcomes.forEach((outcome, place) => accepted.set(together[place] as NamedDraft, outcome));
  }
  for (const draft of drafts) if (!isNamed(draft)) accepted.set(draft, await acceptUnresolved(executor, draft));
  return drafts.map((draft) => accepted.get(draft) as AcceptedMessage);
}

/** Like `storeMessages`, for one message. */
export async function storeMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  options: AcceptanceOptions,
): Promise<AcceptedMessage> {
  const [accepted] = await storeMessages(executor, [{ message, selection }], options);
  if (!accepted) throw new Error('An acceptance gave nothing');
  return accepted;
}

async function acceptUnresolved(
  executor: Executor,
  { message, selection, measure }: DraftedMessage,
): Promise<AcceptedMessage> {
  // The count is a statement of its own: PostgreSQL runs no statement that writes on several cores.
  const { count, ceiling } = measure ?? (await measureAudience(executor, selection));
  const isLater = (message.schedule?.sendAt ?? message.acceptedAt) > message.acceptedAt;
  await insertUnresolvedMessage(executor, message, selection, { count, ceiling: isLater ? NO_CEILING : ceiling });
  return { count, byVendor: null, pages: [], edges: [], needsResolving: !isLater };
}

/**
 * True if the pages of a draft can be written when it is accepted: it names its users, and goes to them at once,
 * without a rate, frequency caps and quiet hours.
 */
export function isNamed(draft: DraftedMessage): draft is NamedDraft {
  const { schedule: { rate, sendAt } = {}, content, mayBeQuiet = false } = draft.message;
  const isHeld = content.countsTowardsCap === true || mayBeQuiet;
  return draft.selection.who.kind === 'users' && rate === undefined && sendAt === undefined && !isHeld;
}

/** Yields the drafts by kind, in parts that fit into one statement. */
function* inStatements(drafts: readonly NamedDraft[]): Generator<NamedDraft[]> {
  for (const ofKind of groupBy(drafts, kindOfDraft).values()) yield* inParts(ofKind, MOST_MESSAGES);
}

/** When recovery looks at a message that no audience worker has begun to resolve. */
const UNTAKEN_AFTER = sql`interval '1 second'`;

/** How long before its time a scheduled message gets its job: recovery that is busy then does not make it late. */
export const MESSAGE_ENQUEUED_AHEAD = sql`interval '5 seconds'`;

/** Writes a message whose audience the audience worker resolves. */
async function insertUnresolvedMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  { count, ceiling }: AudienceMeasure,
): Promise<void> {
  await rows(
    executor,
    sql`INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, resolve_ceiling, wake_at)
     SELECT ${selection.appId}, ${recordColumnsOf(sql`m`)}, ${count}::bigint, ${ceiling}::bigint,
       CASE WHEN m.send_at > m.accepted_at THEN greatest(m.send_at - ${MESSAGE_ENQUEUED_AHEAD}, m.accepted_at) ELSE m.accepted_at + ${UNTAKEN_AFTER} END
     FROM ${recordsFrom(parameter(JSON.stringify([messageRow(message, selection)])), sql`m`)}`,
  );
}
