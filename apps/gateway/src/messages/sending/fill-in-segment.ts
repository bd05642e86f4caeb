import type { SegmentsRepository } from '@postrider/persistence';
import { fillInSavedRules } from '../../segments/fill-in-saved-rules';
import type { MessageDraft } from './draft-message';

/**
 * Gives messages that name a saved segment the segment's rules: what becomes of the segment later does not touch them.
 *
 * @throws InvalidRequest when there is no such segment
 */
export async function fillInSegments(
  segments: SegmentsRepository,
  drafts: readonly MessageDraft[],
): Promise<MessageDraft[]> {
  const filled: MessageDraft[] = [];
  for (const draft of drafts) {
    const { selection } = draft;
    const { appId, who } = selection;
    const rules = who.kind === 'rules' ? await fillInSavedRules(segments, appId, who) : who;
    filled.push(rules === who ? draft : { ...draft, selection: { ...selection, who: rules } });
  }
  return filled;
}
