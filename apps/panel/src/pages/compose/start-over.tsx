import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { type MessageDraft, printOf, storedForm } from '../../model/message-draft';
import { useCompose } from './compose-context';
import { isOnlyHere } from './opening';
import type { Saving } from './use-saved-draft';

/** Begins another message. What was written stays among the drafts; what cannot be kept there is discarded only when asked. */
export function StartOver({ saving, onClear }: { saving: Saving; onClear: () => void }): ReactNode {
  const { draft } = useCompose();
  const [isAsking, setAsking] = useState(false);
  const press = async (): Promise<void> => {
    if (!isOnlyHere(draft) || (await isSavedNow(draft, saving))) onClear();
    else setAsking(true);
  };
  return (
    <>
      <Button variant="subtle" onClick={() => void press()}>
        Start over
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Discard what you wrote?"
        confirmLabel="Discard and start over"
        keepLabel="Go back"
        onConfirm={() => {
          onClear();
          return Promise.resolve();
        }}
        onClose={() => setAsking(false)}
      >
        {saving.state === 'conflict'
          ? 'Somebody else has saved, sent or deleted this draft, so what you wrote since is here only.'
          : 'It could not be saved, so it is here only.'}
      </ConfirmDialog>
    </>
  );
}

/** Saves a draft, last words included. In a conflict its writer decides first what to keep. */
async function isSavedNow(draft: MessageDraft, { state, flush }: Saving): Promise<boolean> {
  if (state === 'conflict') return false;
  const saved = await flush().catch(() => null);
  return saved?.print === printOf(storedForm(draft));
}
