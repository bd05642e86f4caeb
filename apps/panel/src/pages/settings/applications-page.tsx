import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAdminRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { IconApps, IconChevronRight, IconPlus } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { RowList } from './row-list';
import classes from './settings.module.css';
import { useAdminApi, ADMIN, answerOf, keyOf } from '../../api/client';
import type { NewApplicationResponse } from '@postrider/server/document';
import { NewApplicationRequest } from '../../api/generated/limits';
import { DialogForm } from '../../components/dialog';
import { SecretDialog, type ShownSecret } from '../../components/secret-dialog';
import { useForm } from '../../components/use-form';

/** How often the list is read while an application is being deleted. */
const LOOK_MS = 2_000;

/** All applications, and a form for a new one. */
export function ApplicationsPage(): ReactNode {
  const applications = useAdminRead('/api/admin/apps', {
    pollMs: (found) => (found?.some(({ removalBeganAt }) => removalBeganAt) ? LOOK_MS : false),
  });
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New application
    </Button>
  );
  const list = applications.data;
  return (
    <>
      <PageHeader
        title="Applications"
        description="Each application has its own tokens, users, devices and vendors."
        actions={list !== undefined && list.length > 0 && make}
      />
      <NewApplication isOpen={isMaking} onClose={() => setMaking(false)} />
      <SectionCard>
        <RowList
          found={applications}
          items={list}
          waitingHeight={160}
          empty={
            <EmptyState icon={IconApps} title="Create your first application" action={make}>
              An application is one of your products. It gets a token for your backend and a token for the app.
            </EmptyState>
          }
          row={({ id, name, createdAt, removalBeganAt }) => (
            <li key={id} className={classes.row}>
              <div className={classes.words}>
                <Link href={`/apps/${id}`} className={`${classes.name ?? ''} ${classes.link ?? ''}`}>
                  <Typed text={name} lines={1} />
                </Link>
                <div className={classes.hint}>
                  <Typed text={id} isMono /> · {removalBeganAt ? 'deletion began' : 'made'}{' '}
                  <Moment at={removalBeganAt ?? createdAt} />
                </div>
              </div>
              <div className={classes.actions}>
                <Button component={Link} href={`/apps/${id}/settings/vendors`} variant="default" size="xs">
                  Settings
                </Button>
                <Button
                  component={Link}
                  href={`/apps/${id}/overview`}
                  variant="light"
                  size="xs"
                  rightSection={<IconChevronRight size={14} aria-hidden />}
                >
                  Open
                </Button>
              </div>
            </li>
          )}
        />
      </SectionCard>
    </>
  );
}

/** Makes an application, and shows its tokens this once. */
export function NewApplication({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <SecretDialog<NewApplicationResponse>
      isOpen={isOpen}
      onClose={onClose}
      title="New application"
      madeTitle="Save these values now. They are shown once"
      size="lg"
      about="Postrider stores only hashes of the tokens. If you lose a token, create a new one in the settings."
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
      hint: 'For your backend. It may do everything in this application.',
    },
    { label: 'Client token', value: tokens.client, hint: 'For your app. It registers devices and reports events.' },
    {
      label: 'Identity key',
      value: identityKey,
      hint: 'Your backend signs user ids with it if the application requires signed users.',
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
        description="The title of notifications that have none"
        {...form.text('name')}
        required
        data-autofocus
      />
      <TextInput
        label="Id"
        description="Used in addresses and tokens. Letters, digits, _ and -. It cannot be changed"
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
