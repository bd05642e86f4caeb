import { type Executor, rows, sql } from '@postrider/persistence';
import type { AcceptedMessage, AudienceSelection } from './audience-selection';
import { type NewMessage, messageRow, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-row';
import { type AcceptanceOptions, acceptForNamedUsers, kindOfDraft, type NamedDraft } from './named-acceptance';
import { type AudienceMeasure, measureAudience } from './read-audiences';

/** A message and whom it is for. */
export interface DraftedMessage {
  message: NewMessage;
  selection: AudienceSelection;
  /** How large its audience is, where that was counted before; only where nobody is named. */
  measure?: AudienceMeasure;
}

/** A message that is sent later goes to devices that register until then too. */
const NO_CEILING = '9223372036854775807';

/** One statement takes no more: the values of a statement stand in memory, here and there. */
const MOST_MESSAGES = 500;

/**
 * Accepts messages: when this returns (and the caller's transaction, if there is one, is committed) they will be sent,
 * whatever becomes of Redis or of this process. For named users the pages are written as well, many messages in one
 * statement; any other audience is counted here and resolved by the audience worker.
 *
 * Messages of more than one statement need a transaction around them to be accepted all or none.
 *
 * @returns what became of each, in the order of `drafts`
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

/** As `storeMessages`, for one. */
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
  // Counted on its own: PostgreSQL runs no statement that writes on several cores.
  const { count, ceiling } = measure ?? (await measureAudience(executor, selection));
  const isLater = (message.schedule?.sendAt ?? message.acceptedAt) > message.acceptedAt;
  await insertUnresolvedMessage(executor, message, selection, { count, ceiling: isLater ? NO_CEILING : ceiling });
  return { count, byVendor: null, pages: [], edges: [], needsResolving: !isLater };
}

/** Whether a draft's pages can be written as it is accepted: it names its users, and goes to them now, all at once and whatever they had before. */
export function isNamed(draft: DraftedMessage): draft is NamedDraft {
  const { rate, sendAt } = draft.message.schedule ?? {};
  const isCapped = draft.message.content.countsTowardsCap === true;
  return draft.selection.who.kind === 'users' && rate === undefined && sendAt === undefined && !isCapped;
}

/** The drafts by kind, each cut into what one statement takes. */
function* inStatements(drafts: readonly NamedDraft[]): Generator<NamedDraft[]> {
  const kinds = new Map<string, NamedDraft[]>();
  for (const draft of drafts) {
    const kind = kindOfDraft(draft);
    const ofKind = kinds.get(kind);
    if (ofKind) ofKind.push(draft);
    else kinds.set(kind, [draft]);
  }
  for (const ofKind of kinds.values()) {
    for (let from = 0; from < ofKind.length; from += MOST_MESSAGES) yield ofKind.slice(from, from + MOST_MESSAGES);
  }
}

/** When recovery looks at a message that no audience worker has taken up. */
const UNTAKEN_AFTER = sql`interval '1 second'`;

/** A scheduled message gets its job this long before its time, so that recovery that is busy then does not make it late. */
export const ENQUEUED_AHEAD = sql`interval '5 seconds'`;

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
       CASE WHEN m.send_at > m.accepted_at THEN greatest(m.send_at - ${ENQUEUED_AHEAD}, m.accepted_at) ELSE m.accepted_at + ${UNTAKEN_AFTER} END
     FROM ${recordsFrom([messageRow(message, selection)], sql`m`)}`,
  );
}
