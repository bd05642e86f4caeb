import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { holdsOut } from '../../model/message-draft';
import { useCompose } from './compose-context';

/** The track id. It stands beside the holdout if there is one, which needs it, and under “More options” otherwise. */
export function TrackIdField(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <TextInput
      label="Track id"
      description="A name for searches and statistics. Promo codes belong to a track id."
      required={holdsOut(draft)}
      value={draft.trackId}
      error={problemAt('trackId')}
      onChange={({ currentTarget }) => patch({ trackId: currentTarget.value })}
    />
  );
}
