import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import type { NewTrackerRequest, TrackerResponse } from '../../api/generated/document';
import { useSave } from '../../api/use-save';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { EMPTY_TRACKER } from '../../model/tracker-form';
import { TrackerForm } from './tracker-form';
import classes from './trackers.module.css';

/** A tracker that is yet to be made. */
export function NewTracker(): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const [, navigate] = useLocation();
  const making = useSave<NewTrackerRequest, TrackerResponse>({
    save: (body) => answerOf(api.POST('/api/trackers', { body })),
    changes: [keyOf(appId, '/api/trackers')],
    onDone: ({ id }) => navigate(`/trackers/${id}`, { replace: true }),
  });
  return (
    <>
      <PageHeader
        title="New tracker"
        back={{ href: '/trackers', label: 'Trackers' }}
        description="Only the name is needed: each link can say by itself where it leads."
      />
      <div className={classes.form}>
        <SectionCard>
          <TrackerForm
            start={EMPTY_TRACKER}
            saveLabel="Create tracker"
            error={making.error}
            isSaving={making.isPending}
            onSave={making.mutate}
          />
        </SectionCard>
      </div>
    </>
  );
}
