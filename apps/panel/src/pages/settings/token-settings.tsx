import { Badge, Button, Checkbox, Stack, TextInput } from '@mantine/core';
import type { Scope } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import { useAdminApi, useAppId, ADMIN, answerOf, keyOf, deletionOf } from '../../api/client';
import type { NewTokenResponse, TokenResponse } from '@postrider/server/document';
import { NewTokenRequest } from '../../api/generated/limits';
import { useAdminRead } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DialogForm } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { IconKey, IconPlus } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SecretDialog } from '../../components/secret-dialog';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { useForm } from '../../components/use-form';
import { RowList } from './row-list';
import classes from './settings.module.css';

const SCOPES: readonly { scope: Scope; words: string }[] = [
  { scope: 'server', words: 'everything: for your backend' },
  { scope: 'send', words: 'send and cancel messages, count segments' },
  { scope: 'read', words: 'read messages, users, devices and figures' },
  { scope: 'tags', words: 'change tags' },
  { scope: 'promo', words: 'upload promo codes' },
  { scope: 'devices', words: 'register devices and report: for keys inside an app' },
];

/** The tokens of the application: who may do what, new ones, and revoking. */
export function TokenSettings(): ReactNode {
  const appId = useAppId();
  const path = { id: appId };
  const api = useAdminApi();
  const tokens = useAdminRead('/api/admin/apps/{id}/tokens', { params: { path } });
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<TokenResponse | null>(null);
  const revoke = useSave<string>({
    save: (tokenId) =>
      deletionOf(api.DELETE('/api/admin/apps/{id}/tokens/{tokenId}', { params: { path: { ...path, tokenId } } })),
    said: 'The token is revoked. It stops working within four seconds',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}/tokens', { path })],
  });
  return (
    <SectionCard
      title="Access tokens"
      description="A token is shown once, when you create it. Its scopes say what it may do."
      actions={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
          New token
        </Button>
      }
    >
      <RowList
        found={tokens}
        items={tokens.data}
        waitingHeight={140}
        empty={
          <EmptyState icon={IconKey} title="No valid token">
            Only the operator can use this application. Create a token for your backend.
          </EmptyState>
        }
        row={(token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />}
      />
      <NewToken isOpen={isMaking} onClose={() => setMaking(false)} />
      <ConfirmDialog
        isOpen={revoking !== null}
        title="Revoke this token?"
        confirmLabel="Revoke token"
        onConfirm={() => revoke.mutateAsync(revoking?.id ?? '')}
        onClose={() => setRevoking(null)}
      >
        Every request with <Typed text={revoking?.name ?? ''} /> is refused within four seconds. This cannot be undone.
        You can create a new token.
      </ConfirmDialog>
    </SectionCard>
  );
}

function TokenRow({ token, onRevoke }: { token: TokenResponse; onRevoke: () => void }): ReactNode {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>
          <Typed text={token.name} lines={1} />
          {token.scopes.map((scope) => (
            <Badge key={scope} variant="light" color={scope === 'server' ? 'plum' : 'sky'} tt="none" fw={500}>
              {scope}
            </Badge>
          ))}
        </div>
        <div className={classes.hint}>
          made <Moment at={token.createdAt} />
        </div>
      </div>
      <Button size="xs" variant="light" color="red" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

function NewToken({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <SecretDialog<string>
      isOpen={isOpen}
      onClose={onClose}
      title="New token"
      madeTitle="Save this token now. It is shown once"
      about="Postrider stores only a hash of the token."
      secrets={(value) => [{ label: 'Token', value }]}
      savedLabel="I have saved it"
      form={(onMade) => <TokenForm onMade={onMade} onClose={onClose} />}
    />
  );
}

function TokenForm({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }): ReactNode {
  const path = { id: useAppId() };
  const api = useAdminApi();
  const form = useForm<{ name: string; scopes: Scope[] }, NewTokenResponse>({
    initial: { name: '', scopes: ['read'] },
    save: (body) => answerOf(api.POST('/api/admin/apps/{id}/tokens', { params: { path }, body })),
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}/tokens', { path })],
    onDone: ({ token }) => onMade(token),
  });
  return (
    <DialogForm form={form} submitLabel="Create token" isDisabled={form.values.scopes.length === 0} onCancel={onClose}>
      <TextInput
        label="Name"
        maxLength={NewTokenRequest.name.maxLength}
        description="The system or person that uses the token"
        {...form.text('name')}
        required
        data-autofocus
      />
      <Checkbox.Group
        label="Scopes"
        value={form.values.scopes}
        onChange={(scopes) => form.change({ scopes })}
        error={form.problemOf('scopes')}
      >
        <Stack gap={8} mt={6}>
          {SCOPES.map(({ scope, words }) => (
            <Checkbox key={scope} value={scope} label={scope} description={words} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DialogForm>
  );
}
