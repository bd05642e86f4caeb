import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Route, Switch, Link } from 'wouter';
import { useRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconWebhook } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { RowList } from './row-list';
import { WebhookLog } from './webhook-log';
import { useApi, useAppId, keyOf, answerOf, deletionOf } from '../../api/client';
import type { WebhookResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun } from '../../components/format';
import { keepFocus } from '../../components/keep-focus';
import { Moment } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './settings.module.css';
import { WEBHOOK_EVENT_TYPES } from '@postrider/domain';
import { NewWebhookRequest } from '../../api/generated/limits';
import { DialogForm } from '../../components/dialog';
import { SecretDialog } from '../../components/secret-dialog';
import { useForm } from '../../components/use-form';

/** The webhooks that report events to other systems, and their state. */
export function WebhookSettings(): ReactNode {
  return (
    <Switch>
      <Route path="/settings/webhooks/:id">{({ id }) => <WebhookLog id={id} />}</Route>
      <Route>
        <Webhooks />
      </Route>
    </Switch>
  );
}

function Webhooks(): ReactNode {
  const found = useRead('/api/webhooks');
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New webhook
    </Button>
  );
  const webhooks = found.data?.webhooks;
  return (
    <SectionCard
      title="Webhooks"
      description="Postrider sends signed events to these addresses, and tries again if an address does not answer."
      actions={webhooks !== undefined && webhooks.length > 0 && make}
    >
      <RowList
        found={found}
        items={webhooks}
        waitingHeight={140}
        empty={
          <EmptyState icon={IconWebhook} title="No webhook yet" action={make}>
            Your systems can get an event when a message is done, a token is removed, an SMS is sent or promo codes run
            low.
          </EmptyState>
        }
        row={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
      />
      <WebhookForm isOpen={isMaking} onClose={() => setMaking(false)} />
    </SectionCard>
  );
}

/** One webhook: its state, a test, its log, switching it off and on. */
function WebhookRow({ webhook }: { webhook: WebhookResponse }): ReactNode {
  const { id, url, events, isEnabled, failures, lastError, lastSuccessAt, disabledReason } = webhook;
  const api = useApi();
  const appId = useAppId();
  const [isRemoving, setRemoving] = useState(false);
  const switchLabel = isEnabled ? 'Switch off' : 'Switch on';
  const changes = [keyOf(appId, '/api/webhooks')];
  const params = { path: { id } };
  // The pressed button is gone with the row.
  useEffect(() => keepFocus, []);
  const gone = 'Somebody else has removed this webhook';
  const testing = useSave({
    save: () => api.POST('/api/webhooks/{id}/test', { params }),
    gone,
    said: 'The test event is being sent. See the log',
    changes,
  });
  const switching = useSave({
    save: () => api.PATCH('/api/webhooks/{id}', { params, body: { isEnabled: !isEnabled } }),
    gone,
    changes,
  });
  const removing = useSave({
    save: () => deletionOf(api.DELETE('/api/webhooks/{id}', { params })),
    said: 'The webhook is removed',
    changes,
  });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>
          <Link href={`/settings/webhooks/${id}`} className={classes.link}>
            <Typed text={url} lines={3} />
          </Link>
          <StateBadge {...badgeOf(webhook)} />
        </div>
        <div className={classes.hint}>
          {events.join(', ')}
          {lastSuccessAt !== null && (
            <>
              {' · last answered '}
              <Moment at={lastSuccessAt} />
            </>
          )}
        </div>
        {(failures > 0 || disabledReason !== null) && (
          <div className={classes.trouble}>
            {disabledReason !== null && <Typed text={`${disabledReason}. `} />}
            {failures > 0 && `${formatNoun(failures, 'call')} failed in a row: `}
            {lastError !== null && <Typed text={lastError} lines={2} />}
          </div>
        )}
        <ErrorNotice error={testing.error ?? switching.error} />
      </div>
      <div className={classes.actions}>
        <Button
          component={Link}
          href={`/settings/webhooks/${id}`}
          size="xs"
          variant="default"
          aria-label={`Log of ${url}`}
        >
          Log
        </Button>
        <Button
          size="xs"
          variant="light"
          aria-label={`Test ${url}`}
          loading={testing.isPending}
          onClick={() => testing.mutate()}
        >
          Test
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`${switchLabel} ${url}`}
          loading={switching.isPending}
          onClick={() => switching.mutate()}
        >
          {switchLabel}
        </Button>
        <Button size="xs" variant="subtle" color="red" aria-label={`Remove ${url}`} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isRemoving}
        title="Remove this webhook?"
        confirmLabel="Remove it"
        onConfirm={() => removing.mutateAsync()}
        onClose={() => setRemoving(false)}
      >
        <Typed text={url} /> is no longer called. Waiting events are deleted.
      </ConfirmDialog>
    </li>
  );
}

function badgeOf({ isEnabled, failures }: WebhookResponse): { state: string; label: string } {
  if (!isEnabled) return { state: 'cancelled', label: 'off' };
  return failures > 0 ? { state: 'failed', label: 'failing' } : { state: 'done', label: 'on' };
}

/** Makes a webhook, and shows the secret that signs its calls this once. */
function WebhookForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <SecretDialog<string>
      isOpen={isOpen}
      onClose={onClose}
      title="New webhook"
      madeTitle="Save this secret now. It is shown once"
      about="Your system uses it to check that a call comes from Postrider."
      secrets={(value) => [{ label: 'Secret', value }]}
      savedLabel="I have saved it"
      form={(onMade) => <Form onMade={onMade} onClose={onClose} />}
    />
  );
}

function Form({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const form = useForm<{ url: string; events: WebhookResponse['events'] }, WebhookResponse>({
    initial: { url: 'https://', events: ['message.done'] },
    save: (body) => answerOf(api.POST('/api/webhooks', { body })),
    changes: [keyOf(appId, '/api/webhooks')],
    onDone: ({ secret }) => (secret === undefined ? onClose() : onMade(secret)),
  });
  return (
    <DialogForm
      form={form}
      submitLabel="Create webhook"
      isDisabled={form.values.events.length === 0}
      onCancel={onClose}
    >
      <TextInput
        label="Address"
        maxLength={NewWebhookRequest.url.maxLength}
        {...form.text('url')}
        required
        data-autofocus
      />
      <Checkbox.Group
        label="Events"
        value={form.values.events}
        onChange={(events) => form.change({ events })}
        error={form.problemOf('events')}
      >
        <Stack gap={8} mt={6}>
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DialogForm>
  );
}
