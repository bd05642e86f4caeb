import type { MessageDraft } from '../model/message-draft';
import type { Compose } from '../pages/compose/compose-context';

/** What the parts of the compose page share of a message that is being written, without any problem. */
export function composeOf(draft: MessageDraft, shared: Partial<Compose> = {}): Compose {
  return {
    draft,
    patch: () => undefined,
    problemAt: () => undefined,
    problems: {},
    marksAll: false,
    isMarked: () => false,
    variant: null,
    showVariant: () => undefined,
    language: '',
    showLanguage: () => undefined,
    fileUsers: null,
    setFileUsers: () => undefined,
    ...shared,
  };
}
