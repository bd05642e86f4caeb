import { type ReactNode, useEffect, useState } from 'react';
import { useAppId, useAdminApi, ADMIN, answerOf, keyOf, deletionOf } from '../../api/client';
import { isNotFound } from '../../api/api-error';
import { useAdminRead } from '../../api/reading';
import { SectionCard } from '../../components/section-card';
import { RowList } from './row-list';
import { VENDOR_PLANS, type VendorPlan } from './vendor-fields';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { VendorCheckResponse, VendorHealthResponse, VendorResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CopyButton } from '../../components/copy-button';
import { ErrorNotice } from '../../components/error-notice';
import { keepFocus } from '../../components/keep-focus';
import { Moment } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import { errorInWords } from '../message/words';
import classes from './settings.module.css';
import { VendorForm } from './vendor-form';
import { VendorTroubles } from './vendor-troubles';

const POLL_MS = 5_000;
const VENDORS = '/api/admin/apps/{id}/vendors';

/** The vendors: which are connected, how they are, and their credentials. */
export function VendorSettings(): ReactNode {
  const params = { path: { id: useAppId() } };
  const stored = useAdminRead(VENDORS, { params });
  const health = useAdminRead(`${VENDORS}/health`, { params, pollMs: POLL_MS });
  return (
    <SectionCard
      title="Vendors"
      description="Vendors deliver messages to devices. Credentials are stored encrypted and never shown again."
    >
      <RowList
        found={stored}
        items={stored.data && VENDOR_PLANS}
        waitingHeight={300}
        row={(plan) => (
          <VendorRow
            key={plan.vendor}
            plan={plan}
            stored={stored.data?.find(({ vendor }) => vendor === plan.vendor)}
            health={health.data?.vendors.find(({ vendor }) => vendor === plan.vendor)}
          />
        )}
      />
    </SectionCard>
  );
}

/** One vendor: its state, a check, its credentials, its last errors. */
function VendorRow(props: {
  plan: VendorPlan;
  stored: VendorResponse | undefined;
  health: VendorHealthResponse | undefined;
}): ReactNode {
  const { plan, stored, health } = props;
  const api = useAdminApi();
  const appId = useAppId();
  const params = { path: { id: appId, vendor: plan.vendor } };
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const client = useQueryClient();
  const checking = useMutation({
    mutationFn: async () => {
      const listed = client.getQueryData<VendorResponse[]>(keyOf(ADMIN, VENDORS, { path: { id: appId } }));
      const of = listed?.find(({ vendor }) => vendor === plan.vendor)?.updatedAt;
      return { of, ...(await answerOf(api.POST('/api/admin/apps/{id}/vendors/{vendor}/check', { params }))) };
    },
    // Somebody else has disconnected it: then the row says so.
    onError: (error) => {
      if (isNotFound(error)) void client.invalidateQueries({ queryKey: keyOf(ADMIN, VENDORS) });
    },
  });
  // What the vendor said of other credentials than the stored ones says nothing of these.
  const check = stored && checking.data?.of === stored.updatedAt ? checking.data : undefined;
  // The buttons for stored credentials are gone with them.
  const isStored = stored !== undefined;
  useEffect(() => (isStored ? keepFocus : undefined), [isStored]);
  const removing = useSave({
    save: () => deletionOf(api.DELETE('/api/admin/apps/{id}/vendors/{vendor}', { params })),
    said: `${plan.name} is disconnected`,
    changes: [keyOf(ADMIN, VENDORS), keyOf(ADMIN, `${VENDORS}/health`), keyOf(appId, '/api/push/overview')],
  });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>
          {plan.name}
          {stored && <StateBadge {...badgeOf(health, check)} />}
        </div>
        <div className={classes.hint}>{stored ? <Stored stored={stored} /> : plan.purpose}</div>
        {stored && health && <VendorTroubles vendor={plan.vendor} health={health} />}
        {check && <CheckResult result={check} name={plan.name} at={new Date(checking.submittedAt).toISOString()} />}
        <ErrorNotice error={stored ? checking.error : null} title="The check failed" />
      </div>
      <div className={classes.actions}>
        {stored ? (
          <StoredActions
            name={plan.name}
            isChecking={checking.isPending}
            onCheck={() => checking.mutate()}
            onEdit={() => setEditing(true)}
            onRemove={() => setRemoving(true)}
          />
        ) : (
          <Button size="xs" variant="default" onClick={() => setEditing(true)} aria-label={`Connect ${plan.name}`}>
            Connect
          </Button>
        )}
      </div>
      <VendorForm
        plan={plan}
        stored={stored}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        onSaved={() => checking.mutate()}
      />
      <ConfirmDialog
        isOpen={isRemoving}
        title={`Disconnect ${plan.name}?`}
        confirmLabel="Disconnect it"
        onConfirm={() => removing.mutateAsync()}
        onClose={() => setRemoving(false)}
      >
        Nothing is sent through it until you store credentials again. Devices and their tokens are kept.
      </ConfirmDialog>
    </li>
  );
}

function StoredActions(props: {
  /** The vendor, which the buttons name to screen readers: every vendor has the same ones. */
  name: string;
  isChecking: boolean;
  onCheck: () => void;
  onEdit: () => void;
  onRemove: () => void;
}): ReactNode {
  const { name, isChecking, onCheck, onEdit, onRemove } = props;
  return (
    <>
      <Button size="xs" variant="light" loading={isChecking} onClick={onCheck} aria-label={`Check ${name}`}>
        Check
      </Button>
      <Button size="xs" variant="default" onClick={onEdit} aria-label={`Change ${name}`}>
        Change
      </Button>
      <Button size="xs" variant="subtle" color="red" onClick={onRemove} aria-label={`Disconnect ${name}`}>
        Disconnect
      </Button>
    </>
  );
}

/** What is known of a vendor with stored credentials. That they are stored says nothing about whether they work. */
function badgeOf(
  health: VendorHealthResponse | undefined,
  check: VendorCheckResponse | undefined,
): { state: string; label: string } {
  if (check && !check.ok) {
    return { state: 'failed', label: isUnreached(check) ? 'not reached' : 'credentials refused' };
  }
  if (health?.credentials) return { state: 'failed', label: 'credentials refused' };
  if (health?.state === 'open') return { state: 'failed', label: 'not answering' };
  if (health?.state === 'failing') return { state: 'held', label: 'all calls fail' };
  if (health?.state === 'half-open') return { state: 'held', label: 'being tried again' };
  if (check || health?.state === 'ok') return { state: 'ok', label: 'works' };
  return { state: 'stored', label: 'stored, not checked' };
}

/** The settings that may be shown, under the names that people know them by. */
const SHOWN: Record<string, string> = {
  projectId: 'Project',
  clientEmail: 'Account',
  keyId: 'Key',
  teamId: 'Team',
  topic: 'Topic',
  environment: 'Environment',
  appId: 'App',
  subject: 'Contact',
  publicKey: 'Public key',
  provider: 'Provider',
  accountSid: 'Account',
  from: 'From',
  sender: 'Sender',
  endpoint: 'Address',
};

/** Which project, which app, where. */
function Stored({ stored }: { stored: VendorResponse }): ReactNode {
  const shown = Object.entries(SHOWN).flatMap(([name, label]) => {
    const value = stored[name];
    return typeof value === 'string' ? [{ name, label, value }] : [];
  });
  return (
    <>
      {shown.map(({ name, label, value }) => (
        <span key={name} className={classes.fact}>
          {label} <Typed text={value} isMono />
          {name === 'publicKey' && <CopyButton value={value} label="Copy the public key" />}
        </span>
      ))}
      {stored.updatedAt !== undefined && (
        <span className={classes.fact}>
          stored <Moment at={stored.updatedAt} />
        </span>
      )}
    </>
  );
}

/** True if a check failed on the way to the vendor: the network’s codes, as Node names them. */
function isUnreached({ code = '', reason = '' }: VendorCheckResponse): boolean {
  return NETWORK_ERROR.test(code) || NETWORK_ERROR.test(reason);
}

const NETWORK_ERROR =
  /\b(ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|E(HOST|NET)UNREACH|ETIMEDOUT|EPIPE)\b|timed? ?out|unreachable/i;

function CheckResult({ result, name, at }: { result: VendorCheckResponse; name: string; at: string }): ReactNode {
  const checked = (
    <span className={classes.hint}>
      Checked <Moment at={at} />.
    </span>
  );
  if (result.ok) {
    return (
      <div role="status">
        {name} accepts the credentials. {checked}
      </div>
    );
  }
  const words = result.code === undefined ? null : errorInWords(result.code);
  if (isUnreached(result)) {
    return (
      <div role="status" className={classes.trouble}>
        <strong>{name} could not be reached.</strong> The credentials are stored but not checked yet. Make sure that
        this server can connect to the vendor, then check again.{' '}
        <span className={classes.hint}>
          (<Typed text={result.reason ?? result.code ?? ''} />)
        </span>{' '}
        {checked}
      </div>
    );
  }
  return (
    <div role="status" className={classes.trouble}>
      <strong>{name} refuses the credentials.</strong> {words}{' '}
      <Typed text={[result.code, result.reason].filter(Boolean).join(': ')} /> {checked}
    </div>
  );
}
