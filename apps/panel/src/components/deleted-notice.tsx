import type { ReactNode } from 'react';
import { ConflictNotice } from './conflict-notice';

/** Another person has deleted what is changed here. Saving makes a new one of what is written. */
export function DeletedNotice({ noun }: { noun: string }): ReactNode {
  return (
    <ConflictNotice title={`Somebody else has deleted this ${noun}`}>
      What you wrote is here only. Save it to make a new {noun} of it.
    </ConflictNotice>
  );
}
