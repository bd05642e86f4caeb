import type { Executor } from '@postrider/persistence';
import { fillInSavedRules } from '../segments/fill-in-saved-rules';
import type { MessageDraft } from './draft-message';

/**
 * Gives a message that names a saved segment the segment's rules: what becomes of the segment later does not touch it.
 *
 * @throws InvalidRequest when there is no such segment
 */
export async function fillInSegment(executor: Executor, draft: MessageDraft): Promise<MessageDraft> {
  const { selection } = draft;
  if (selection.who.kind !== 'rules') return draft;
  const who = await fillInSavedRules(executor, selection.appId, selection.who);
  return who === selection.who ? draft : { ...draft, selection: { ...selection, who } };
}
