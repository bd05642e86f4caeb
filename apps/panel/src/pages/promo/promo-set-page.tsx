import { Anchor, Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { isEditConflict, problemAt } from '../../api/api-error';
import { answerOf, useApi, useAppId, applicationUrl, keyOf } from '../../api/client';
import type { PromoAssignmentResponse, PromoSetResponse } from '@postrider/server/document';
import { PromoSetChangeRequest } from '../../api/generated/limits';
import { useCursorList, useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { useSave } from '../../api/use-save';
import { momentColumn, type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatMoment } from '../../components/format';
import { IconDownload, IconTicket, IconUpload } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { NUMBER_SIGNS } from '../../model/locale';
import { Stat, Stats } from '../../components/stat';
import { Typed } from '../../components/typed';
import { UnreadPage } from '../../components/unread-page';
import { useEdits } from '../../components/use-edits';
import { overtaken, OvertakenNotice, sayOvertaking, type Sayings } from '../settings/overtaking';
import classes from './promo.module.css';
import { UploadDialog } from './upload-dialog';

const BACK = { href: '/promo', label: 'Promo codes' };

/** One set of codes: how many are left, and which user got which code. */
export function PromoSetPage({ id }: { id: string }): ReactNode {
  const found = useRead('/api/promo/sets/{id}', { params: { path: { id } }, pollMs: 10_000 });
  if (found.data === undefined)
    return <UnreadPage title="Promo codes" noun="set" height={260} back={BACK} found={found} />;
  return <PromoSet set={found.data} onUploaded={() => void found.refetch()} />;
}

function PromoSet({ set, onUploaded }: { set: PromoSetResponse; onUploaded: () => void }): ReactNode {
  const [isUploading, setUploading] = useState(false);
  const mayUpload = useCan('promo');
  const name = set.trackId ?? 'Global codes';
  return (
    <>
      <PageHeader
        title={<Typed text={name} lines={3} />}
        documentTitle={name}
        back={BACK}
        description={sayState(set)}
        actions={
          mayUpload && (
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setUploading(true)}>
              Upload new codes
            </Button>
          )
        }
      />
      <Stack gap="lg">
        <Stats>
          <Stat label="Left" value={formatCount(set.remaining)} hint={hintOf(set)} />
          <Stat label="Given" value={formatCount(set.assigned)} />
          <Stat label="In the file" value={formatCount(set.total)} hint={givenBeforeOf(set)} />
        </Stats>
        {mayUpload && set.inForce && <LowStock set={set} />}
        <Assignments id={set.id} />
      </Stack>
      <UploadDialog
        isOpen={isUploading}
        trackId={set.trackId}
        onClose={() => setUploading(false)}
        onDone={onUploaded}
      />
    </>
  );
}

function sayState({ inForce, inForceAt, replacedAt }: PromoSetResponse): string {
  const words = inForce ? 'In force since' : 'Replaced by a newer file on';
  const at = inForce ? inForceAt : replacedAt;
  return at === null ? (inForce ? 'In force.' : 'Replaced by a newer file.') : `${words} ${formatMoment(at)}.`;
}

/** A code of the file may have been given to somebody before, by a former set. */
function givenBeforeOf({ givenBefore }: PromoSetResponse): string {
  if (givenBefore === 0) return 'each once';
  return `${formatCount(givenBefore)} of them ${givenBefore === 1 ? 'was' : 'were'} given before`;
}

function hintOf({ remaining, isLow, inForce }: PromoSetResponse): string | undefined {
  if (!inForce) return 'no longer given to anybody';
  if (remaining === 0) return 'used up: upload new ones';
  return isLow ? 'running low' : undefined;
}

/** At how many remaining codes a warning is shown; '': never. */
interface Warning {
  lowStockAt: string | number;
}

const OVERTAKEN = 'Somebody else has changed the warning';
const SAYINGS: Sayings<Warning> = {
  lowStockAt: ({ lowStockAt }) =>
    lowStockAt === '' ? 'no warning' : `a warning at ${formatCount(Number(lowStockAt))}`,
};

function warningOf({ lowStockAt }: PromoSetResponse): Warning {
  return { lowStockAt: lowStockAt ?? '' };
}

function LowStock({ set }: { set: PromoSetResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const params = { path: { id: set.id } };
  const stored = warningOf(set);
  const { values, changed, base, change, markSaved, rebase } = useEdits<Warning>(stored);
  const theirs = sayOvertaking(stored, { base, changed }, SAYINGS);
  const saving = useSave({
    save: async (saved: Partial<Warning>) => {
      const newest = await answerOf(api.GET('/api/promo/sets/{id}', { params }));
      if (sayOvertaking(warningOf(newest), { base, changed: saved }, SAYINGS) !== null) throw overtaken(OVERTAKEN);
      const { lowStockAt = '' } = saved;
      const body = { lowStockAt: lowStockAt === '' ? null : Number(lowStockAt) };
      await api.PUT('/api/promo/sets/{id}', { params, body });
      return saved;
    },
    said: 'The warning is saved',
    changes: [keyOf(appId, '/api/promo/sets/{id}', params)],
    onDone: markSaved,
  });
  return (
    <SectionCard
      title="Warning"
      description="The overview shows a warning, and the webhook event promo.low_stock is sent."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(changed);
        }}
      >
        <Group gap="sm" align="flex-end">
          <NumberInput
            label="Warn at this number of remaining codes"
            placeholder="never"
            min={PromoSetChangeRequest.lowStockAt.minimum}
            max={PromoSetChangeRequest.lowStockAt.maximum}
            allowDecimal={false}
            allowNegative={false}
            {...NUMBER_SIGNS}
            className={classes.limit}
            value={values.lowStockAt}
            error={problemAt(saving.error, 'lowStockAt')}
            onChange={(lowStockAt) => change({ lowStockAt })}
          />
          <Button
            type="submit"
            variant="default"
            loading={saving.isPending}
            disabled={!('lowStockAt' in changed) || theirs !== null}
          >
            Save
          </Button>
        </Group>
        {theirs !== null && (
          <OvertakenNotice title={OVERTAKEN} theirs={theirs} onTake={() => change(stored)} onKeep={rebase} />
        )}
        {!isEditConflict(saving.error) && <ErrorNotice error={saving.error} shownPaths={['lowStockAt']} />}
      </form>
    </SectionCard>
  );
}

const COLUMNS: readonly Column<PromoAssignmentResponse>[] = [
  {
    key: 'code',
    header: 'Code',
    width: 'minmax(0, 1fr)',
    render: ({ code }) => <Typed text={code} isMono lines={2} />,
  },
  {
    key: 'user',
    header: 'User',
    width: 'minmax(0, 1fr)',
    render: ({ userId }) => (
      <Anchor component={Link} size="sm" href={`/users/${encodeURIComponent(userId)}`}>
        <Typed text={userId} lines={2} />
      </Anchor>
    ),
  },
  {
    key: 'message',
    header: 'Message',
    width: '8rem',
    render: ({ messageId }) => (
      <Anchor component={Link} size="sm" href={`/messages/${messageId}`}>
        Open it
      </Anchor>
    ),
  },
  momentColumn('Given', ({ claimedAt }) => claimedAt),
];

function Assignments({ id }: { id: string }): ReactNode {
  const appId = useAppId();
  const [user, setUser] = useState('');
  const list = useCursorList('/api/promo/sets/{id}/assignments', 'assignments', {
    params: { path: { id }, query: { user } },
  });
  return (
    <SectionCard
      title="Codes given"
      isFlush
      actions={
        <Button
          component="a"
          href={applicationUrl(appId, '/api/promo/sets/{id}/assignments/export', { path: { id } })}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          Export as CSV
        </Button>
      }
    >
      <FindUser onFind={setUser} />
      <DataTable
        label="Codes given"
        columns={COLUMNS}
        list={list}
        rowKey={({ code, messageId, userId }) => `${messageId} ${userId} ${code}`}
        empty={user === '' ? <NoneYet /> : <NoneOfUser />}
      />
    </SectionCard>
  );
}

function FindUser({ onFind }: { onFind: (userId: string) => void }): ReactNode {
  const [typed, setTyped] = useState('');
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="User id"
          placeholder="All users"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}

function NoneYet(): ReactNode {
  return (
    <EmptyState icon={IconTicket} title="No code was given yet">
      Write <code>{'{{ promoCode }}'}</code> into a message. Each recipient gets one.
    </EmptyState>
  );
}

function NoneOfUser(): ReactNode {
  return (
    <EmptyState icon={IconTicket} title="This user has none of these codes">
      Upper and lower case matter.
    </EmptyState>
  );
}
