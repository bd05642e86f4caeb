import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi, useAppId } from '../../api/application';
import { keyOf } from '../../api/client';
import type { WebhookResponse } from '../../api/generated/document';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun } from '../../components/format';
import { Moment } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './settings.module.css';

/** One webhook: how it is, a test, its log, switching it off and on. */
export function WebhookRow({ webhook }: { webhook: WebhookResponse }): ReactNode {
  const { id, url, events, isEnabled, failures, lastError, lastSuccessAt, disabledReason } = webhook;
  const api = useApi();
  const appId = useAppId();
  const [isRemoving, setRemoving] = useState(false);
  const changes = [keyOf(appId, '/api/webhooks')];
  const params = { path: { id } };
  const testing = useSave({
    save: () => api.POST('/api/webhooks/{id}/test', { params }),
    said: 'A test call is on its way: see the log',
    changes,
  });
  const switching = useSave({
    save: () => api.PATCH('/api/webhooks/{id}', { params, body: { isEnabled: !isEnabled } }),
    changes,
  });
  const removing = useSave({
    save: () => api.DELETE('/api/webhooks/{id}', { params }),
    said: 'The webhook is removed',
    changes,
  });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>
          <Link href={`/settings/webhooks/${id}`} className={classes.link}>
            <Typed text={url} lines={1} />
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
        <Button component={Link} href={`/settings/webhooks/${id}`} size="xs" variant="default">
          Log
        </Button>
        <Button size="xs" variant="light" loading={testing.isPending} onClick={() => testing.mutate()}>
          Test
        </Button>
        <Button size="xs" variant="default" loading={switching.isPending} onClick={() => switching.mutate()}>
          {isEnabled ? 'Switch off' : 'Switch on'}
        </Button>
        <Button size="xs" variant="subtle" color="red" onClick={() => setRemoving(true)}>
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
        <Typed text={url} /> is not called any more; what waited for it is dropped.
      </ConfirmDialog>
    </li>
  );
}

function badgeOf({ isEnabled, failures }: WebhookResponse): { state: string; label: string } {
  if (!isEnabled) return { state: 'cancelled', label: 'off' };
  return failures > 0 ? { state: 'failed', label: 'failing' } : { state: 'done', label: 'on' };
}
