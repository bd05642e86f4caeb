import { type ReactNode, useState } from 'react';
import { Route, Switch } from 'wouter';
import { PromoSetPage } from './promo-set-page';
import { Button } from '@mantine/core';
import type { PromoSetResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { countColumn, momentColumn, nameColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconSearch, IconTicket, IconUpload } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SearchBar, useSearched } from '../../components/search-bar';
import { StateBadge } from '../../components/state-badge';
import { UploadDialog } from './upload-dialog';
import { formatCount } from '../../components/format';
import classes from './promo.module.css';

/** Promo codes: what was uploaded, and who was given which. */
export function PromoPage(): ReactNode {
  return (
    <Switch>
      <Route path="/promo/:id">{({ id }) => <PromoSetPage key={id} id={id} />}</Route>
      <Route>
        <PromoSets />
      </Route>
    </Switch>
  );
}

const COLUMNS: readonly Column<PromoSetResponse>[] = [
  nameColumn('For', ({ trackId }) => trackId ?? 'Every campaign (global)', { width: 'minmax(0, 1.4fr)' }),
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    render: ({ inForce, isLow, remaining }) => {
      if (!inForce) return <StateBadge state="skipped" label="replaced" />;
      if (remaining === 0) return <StateBadge state="failed" label="used up" />;
      return <StateBadge state={isLow ? 'held' : 'ok'} label={isLow ? 'low' : 'in force'} />;
    },
  },
  {
    key: 'left',
    header: 'Left',
    width: 'minmax(0, 1.2fr)',
    render: (set) => <CodesBar set={set} />,
  },
  countColumn('Given', ({ assigned }) => assigned, { isHiddenOnPhone: true }),
  momentColumn('Uploaded', ({ createdAt }) => createdAt),
];

const FIELDS = [{ name: 'trackId', label: 'Track id' }];

/** Every set that is or was in force, newest first. */
function PromoSets(): ReactNode {
  const searched = useSearched(FIELDS);
  const list = useCursorList('/api/promo/sets', 'sets', { params: { query: searched?.query ?? {} }, pollMs: 10_000 });
  const [isUploading, setUploading] = useState(false);
  const mayUpload = useCan('promo');
  const upload = mayUpload && (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setUploading(true)}>
      Upload codes
    </Button>
  );
  return (
    <ListPage
      title="Promo codes"
      description="Files of codes for one campaign or for all campaigns. Every user who gets a message with a code gets a different one, the same on all their devices."
      label="Promo sets"
      create={upload}
      isNarrowed={searched !== null}
      search={(searched !== null || list.items.length > 0) && <SearchBar fields={FIELDS} />}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/promo/${id}`}
      empty={
        searched === null ? (
          <EmptyState icon={IconTicket} title="No promo codes yet" action={upload}>
            Upload a file with one code on each line, then write <code>{'{{ promoCode }}'}</code> into a message.
          </EmptyState>
        ) : (
          <EmptyState icon={IconSearch} title="No codes were uploaded for this track id">
            The search finds exact matches only.
          </EmptyState>
        )
      }
    >
      <UploadDialog isOpen={isUploading} onClose={() => setUploading(false)} onDone={() => void list.refresh()} />
    </ListPage>
  );
}

/** The share of a set that is left. */
function CodesBar({ set }: { set: PromoSetResponse }): ReactNode {
  const { total, remaining, isLow } = set;
  const share = total === 0 ? 0 : (remaining / total) * 100;
  return (
    <div>
      <div className={classes.figures}>
        {formatCount(remaining)} <span className={classes.of}>of {formatCount(total)}</span>
      </div>
      <div className={`meter ${classes.bar ?? ''}`} aria-hidden>
        <div
          className={`meter-fill ${classes.fill ?? ''}`}
          data-low={isLow || undefined}
          style={{ width: `${share}%` }}
        />
      </div>
    </div>
  );
}
