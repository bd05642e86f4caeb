import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useAdminApi } from '../../api/application';
import { ADMIN, answerOf, keyOf } from '../../api/client';
import type { NewApplicationResponse } from '../../api/generated/document';
import { NewApplicationRequest } from '../../api/generated/limits';
import { DialogForm } from '../../components/dialog-form';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog';
import { useForm } from '../../components/use-form';

/** Makes an application, and shows its tokens this once. */
export function NewApplication({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <SecretDialog<NewApplicationResponse>
      isOpen={isOpen}
      onClose={onClose}
      title="New application"
      madeTitle="Save these now: they are shown once"
      size="lg"
      about="Only their fingerprints are stored. A lost token is replaced by a new one in the settings."
      secrets={secretsOf}
      next="Next: connect a vendor."
      savedLabel="I have saved them"
      onSaved={({ id }) => navigate(`/apps/${id}/settings/vendors`)}
      form={(onMade) => <ApplicationForm onMade={onMade} onClose={onClose} />}
    />
  );
}

function secretsOf({ tokens, identityKey }: NewApplicationResponse): ShownSecret[] {
  return [
    {
      label: 'Server token',
      value: tokens.server,
      hint: 'For your backend: it may do everything in this application.',
    },
    { label: 'Client token', value: tokens.client, hint: 'Ships inside your app: it registers devices and reports.' },
    {
      label: 'Identity key',
      value: identityKey,
      hint: 'Your backend signs user ids with it, when the application asks for signed users.',
    },
  ];
}

function ApplicationForm(props: { onMade: (made: NewApplicationResponse) => void; onClose: () => void }): ReactNode {
  const { onMade, onClose } = props;
  const api = useAdminApi();
  const form = useForm<{ name: string; id: string | null }, NewApplicationResponse>({
    initial: { name: '', id: null },
    save: ({ name, id }) => answerOf(api.POST('/api/admin/apps', { body: { id: id ?? idFrom(name), name } })),
    changes: [keyOf(ADMIN, '/api/admin/apps')],
    onDone: onMade,
  });
  const { name, id } = form.values;
  return (
    <DialogForm form={form} submitLabel="Create application" onCancel={onClose}>
      <TextInput
        label="Name"
        maxLength={NewApplicationRequest.name.maxLength}
        description="Notifications without a title of their own carry it"
        {...form.text('name')}
        required
        data-autofocus
      />
      <TextInput
        label="Id"
        description="Stands in addresses and tokens; letters, digits, _ and -; cannot be changed"
        value={id ?? idFrom(name)}
        onChange={({ currentTarget }) => form.change({ id: currentTarget.value })}
        error={form.problemOf('id')}
        required
        autoComplete="off"
      />
    </DialogForm>
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
