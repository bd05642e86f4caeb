import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAdminRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { IconApps, IconChevronRight, IconPlus } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { NewApplication } from './new-application';
import { RowList } from './row-list';
import classes from './settings.module.css';

/** Every application of this house, and a new one. */
export function ApplicationsPage(): ReactNode {
  const applications = useAdminRead('/api/admin/apps');
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
        description="Each has its own tokens, users, devices and vendors; none sees another’s."
        actions={list !== undefined && list.length > 0 && make}
      />
      <NewApplication isOpen={isMaking} onClose={() => setMaking(false)} />
      <SectionCard>
        <RowList
          found={applications}
          items={list}
          waitingHeight={160}
          empty={
            <EmptyState icon={IconApps} title="Make your first application" action={make}>
              An application is one product that you send for: it gets a token for your backend and one for the app.
            </EmptyState>
          }
          row={({ id, name, createdAt }) => (
            <li key={id} className={classes.row}>
              <div className={classes.words}>
                <Link href={`/apps/${id}`} className={`${classes.name ?? ''} ${classes.link ?? ''}`}>
                  <Typed text={name} lines={1} />
                </Link>
                <div className={classes.hint}>
                  <Typed text={id} isMono /> · made <Moment at={createdAt} />
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
