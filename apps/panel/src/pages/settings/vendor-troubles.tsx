import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAdminApi, useAppId, ADMIN, keyOf } from '../../api/client';
import type { VendorHealthResponse, VendorResponse, VendorTroubleResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { formatNoun, formatShare } from '../../components/format';
import { Moment } from '../../components/moment';
import { Typed } from '../../components/typed';
import { errorInWords } from '../message/words';
import classes from './settings.module.css';

type Vendor = VendorResponse['vendor'];

/** The present problem of a vendor, in words, with its remedy; else its last error. */
export function VendorTroubles({ vendor, health }: { vendor: Vendor; health: VendorHealthResponse }): ReactNode {
  const { credentials, breaker, quarantine, deadTokens, lastError, heldPages } = health;
  return (
    <>
      {credentials && <Trouble title="The credentials are refused" trouble={credentials} heldPages={heldPages} />}
      {breaker && !credentials && (
        <>
          <Trouble title="The vendor does not work" trouble={breaker} heldPages={heldPages} />
          <Resume vendor={vendor} />
        </>
      )}
      {quarantine && <Quarantine vendor={vendor} quarantine={quarantine} />}
      {deadTokens && (
        <div className={classes.hint}>
          The vendor calls {formatNoun(deadTokens.count, 'token')} dead; switched off from{' '}
          <Moment at={deadTokens.nextAt} /> on.
        </div>
      )}
      {lastError && !credentials && !breaker && (
        <div className={classes.hint}>
          Last error <Moment at={lastError.at} />: <Typed text={inWords(lastError)} lines={2} />
        </div>
      )}
    </>
  );
}

function Trouble(props: { title: string; trouble: VendorTroubleResponse; heldPages: number }): ReactNode {
  const { title, trouble, heldPages } = props;
  return (
    <div className={classes.trouble}>
      <strong>{title}</strong> since <Moment at={trouble.since} />. <Typed text={inWords(trouble)} />
      {heldPages > 0 && (
        <div>
          {formatNoun(heldPages, 'page')} of devices {heldPages === 1 ? 'waits' : 'wait'}. No message is lost.
        </div>
      )}
    </div>
  );
}

function Resume({ vendor }: { vendor: Vendor }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: useAppId(), vendor } };
  const resuming = useSave({
    save: () => api.POST('/api/admin/apps/{id}/vendors/{vendor}/breaker/reset', { params }),
    said: 'Trying the vendor again',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}/vendors/health')],
  });
  return (
    <Button size="xs" variant="default" mt="xs" loading={resuming.isPending} onClick={() => resuming.mutate()}>
      Try again now
    </Button>
  );
}

function Quarantine(props: { vendor: Vendor; quarantine: NonNullable<VendorHealthResponse['quarantine']> }): ReactNode {
  const { vendor, quarantine } = props;
  const api = useAdminApi();
  const appId = useAppId();
  const params = { path: { id: appId, vendor } };
  const [asking, setAsking] = useState<'apply' | 'release' | null>(null);
  const deciding = useSave({
    save: () => api.POST(`/api/admin/apps/{id}/vendors/{vendor}/quarantine/${asking ?? 'release'}`, { params }),
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}/vendors/health'), keyOf(appId, '/api/push/overview')],
  });
  const tokens = formatNoun(quarantine.count, 'token');
  return (
    <div className={classes.trouble}>
      <strong>{tokens} in quarantine</strong>
      {quarantine.since !== null && (
        <>
          {' '}
          since <Moment at={quarantine.since} />
        </>
      )}
      . {sayShares(quarantine)} This may be right, or the vendor may have made an error, or the credentials belong to
      another project.
      <div className={classes.actions} style={{ marginTop: 8 }}>
        <Button size="xs" variant="default" onClick={() => setAsking('release')}>
          Keep the tokens
        </Button>
        <Button size="xs" variant="light" color="red" onClick={() => setAsking('apply')}>
          Switch them off
        </Button>
      </div>
      <ConfirmDialog
        isOpen={asking !== null}
        title={asking === 'apply' ? `Switch ${tokens} off?` : `Keep ${tokens}?`}
        confirmLabel={asking === 'apply' ? 'Switch them off' : 'Keep them'}
        onConfirm={() => deciding.mutateAsync()}
        onClose={() => setAsking(null)}
      >
        {asking === 'apply'
          ? 'These devices get no push until they register again.'
          : 'They are used again for the next message. If they are dead, the vendor will say so again.'}
      </ConfirmDialog>
    </div>
  );
}

function sayShares({ share, normalShare }: NonNullable<VendorHealthResponse['quarantine']>): string {
  if (share === null) return 'The vendor called unusually many tokens dead.';
  const usual = normalShare === null ? '' : `; ${formatShare(normalShare, 1)} is normal`;
  return `The vendor called ${formatShare(share, 1)} of the tokens dead${usual}.`;
}

function inWords({ code, reason }: { code: string; reason: string }): string {
  return errorInWords(code) ?? (reason === '' ? code : `${code}: ${reason}`);
}
