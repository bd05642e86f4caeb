import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNoun } from '../../components/format';
import { readTypedUsers } from '../../model/message-draft';
import { useCompose } from './compose-context';

/** Recipients by their ids, typed or pasted. */
export function UsersAudience(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const users = readTypedUsers(draft.audience.users);
  return (
    <Textarea
      label="User ids"
      description={
        users.length === 0
          ? 'One a line, or between commas. Each gets it on all devices.'
          : `${formatNoun(users.length, 'user')}, each on all devices. Repeated ids count once.`
      }
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      value={draft.audience.users}
      error={problemAt('audience')}
      onChange={({ currentTarget }) => patch({ audience: { ...draft.audience, users: currentTarget.value } })}
    />
  );
}
