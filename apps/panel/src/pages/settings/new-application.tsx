import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { problemAt } from '../../api/api-error';
import { useAdminApi } from '../../api/application';
import { ADMIN, answerOf, keyOf } from '../../api/client';
import type { NewApplicationResponse } from '../../api/generated/document';
import { NewApplicationRequest } from '../../api/generated/limits';
import { ErrorNotice } from '../../components/error-notice';
import { FormButtons } from '../../components/form-buttons';
import { IconKey } from '../../components/icons';
import { SecretOnce } from '../../components/secret-once';
import { useSave } from './use-save';

/** Makes an application, and shows its tokens this once. */
export function NewApplication({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const [made, setMade] = useState<NewApplicationResponse | null>(null);
  const [, navigate] = useLocation();
  const close = (): void => {
    setMade(null);
    onClose();
    if (made) navigate(`/apps/${made.id}/settings/vendors`);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={made ? 'Save these now: they are shown once' : 'New application'}
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      withCloseButton={made === null}
      size="lg"
    >
      {isOpen && (made ? <Tokens made={made} onDone={close} /> : <Form onMade={setMade} onClose={onClose} />)}
    </Modal>
  );
}

function Form({ onMade, onClose }: { onMade: (made: NewApplicationResponse) => void; onClose: () => void }): ReactNode {
  const api = useAdminApi();
  const [name, setName] = useState('');
  const [id, setId] = useState<string | null>(null);
  const usedId = id ?? idFrom(name);
  const making = useSave<undefined, NewApplicationResponse>({
    save: () => answerOf(api.POST('/api/admin/apps', { body: { id: usedId, name } })),
    changes: [keyOf(ADMIN, '/api/admin/apps')],
    onDone: onMade,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(undefined);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          maxLength={NewApplicationRequest.name.maxLength}
          description="Notifications without a title of their own carry it"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={problemAt(making.error, 'name')}
          required
          data-autofocus
        />
        <TextInput
          label="Id"
          description="Stands in addresses and tokens; letters, digits, _ and -; cannot be changed"
          value={usedId}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
          error={problemAt(making.error, 'id')}
          required
          autoComplete="off"
        />
        <ErrorNotice error={making.error} shownPaths={['id', 'name']} />
        <FormButtons submitLabel="Create application" isBusy={making.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function Tokens({ made, onDone }: { made: NewApplicationResponse; onDone: () => void }): ReactNode {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />}>
        Only their fingerprints are stored. A lost token is replaced by a new one in the settings.
      </Alert>
      <SecretOnce
        label="Server token"
        value={made.tokens.server}
        hint="For your backend: it may do everything in this application."
      />
      <SecretOnce
        label="Client token"
        value={made.tokens.client}
        hint="Ships inside your app: it registers devices and reports."
      />
      <SecretOnce
        label="Identity key"
        value={made.identityKey}
        hint="Your backend signs user ids with it, when the application asks for signed users."
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Next: connect a vendor.
        </Text>
        <Button onClick={onDone}>I have saved them</Button>
      </Group>
    </Stack>
  );
}

/** `The Shop!` → `the-shop`; a name in another script gets a number, since ids are of Latin letters. */
function idFrom(name: string): string {
  const id = latinIn(name);
  if (id !== '' || name.trim() === '') return id;
  let number = 7;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_000;
  return `app-${number}`;
}

function latinIn(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
}
