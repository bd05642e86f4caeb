import { Skeleton, Stack, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, Link } from 'wouter';
import { useApi, useAppId, answerOf, keyOf, applicationUrl, deletionOf } from '../../api/client';
import { isEditConflict, isNotFound } from '../../api/api-error';
import type { SegmentResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { DeletedNotice } from '../../components/conflict-notice';
import { ErrorNotice } from '../../components/error-notice';
import { KeptNotice } from '../../components/kept-notice';
import { PageHeader } from '../../components/page-header';
import { Typed } from '../../components/typed';
import { useKept } from '../../components/use-kept';
import { useNewest } from '../../components/use-newest';
import { readRules } from '../../model/read-segment';
import { newGroup } from '../../model/segment-draft';
import { type SavedForm, SegmentEditor, type SavingSegment, type WrittenForm } from './segment-editor';
import { SizeOverTime } from './size-over-time';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { IconDownload, IconSend, IconTrash } from '../../components/icons';

const BACK = { href: '/segments', label: 'Segments' };

/** A segment that is not saved yet. */
export function NewSegment(): ReactNode {
  const { found, keep, discard, beginnings } = useKept<WrittenForm>('segment-new');
  const saving = useSaveSegment(null, useOpenCreated(keep));
  return (
    <>
      <PageHeader
        title="New segment"
        back={BACK}
        description="Select devices by rules. The number of devices is updated while you edit."
      />
      <Stack gap="lg">
        {found && <KeptNotice onDiscard={discard} />}
        <SegmentEditor
          key={beginnings}
          name=""
          segment={newGroup('all')}
          written={found}
          saving={saving}
          onWritten={keep}
        />
      </Stack>
    </>
  );
}

/** One saved segment. */
export function SavedSegment({ id }: { id: string }): ReactNode {
  const found = useRead('/api/segments/{id}', { params: { path: { id } } });
  if (found.isPending) return <Waiting />;
  if (found.data === undefined) {
    return (
      <>
        <PageHeader title="Segment" back={BACK} />
        <ErrorNotice error={found.error} title="The segment could not be read" onRetry={() => found.refetch()} />
      </>
    );
  }
  return <OpenSegment key={id} newest={found.data} />;
}

/** A segment that is being changed. Another person may save or delete it in the meantime. */
function OpenSegment({ newest }: { newest: SegmentResponse }): ReactNode {
  const { base, found, beginnings, isBehind, setBase, discard, keep } = useNewest<SegmentResponse, WrittenForm>(
    newest,
    ({ revision }) => revision,
    `segment-${newest.id}`,
  );
  const [isDeleted, setDeleted] = useState(false);
  const openCreated = useOpenCreated(keep);
  const saving = useSaveSegment(isDeleted ? null : base, isDeleted ? openCreated : setBase);
  if (!isDeleted && isNotFound(saving.error)) setDeleted(true);
  return (
    <>
      <PageHeader
        title={<Typed text={newest.name} lines={3} />}
        documentTitle={newest.name}
        back={BACK}
        actions={<SegmentActions segment={newest} />}
      />
      <Stack gap="lg">
        {found && !isBehind && <KeptNotice onDiscard={discard} />}
        <SegmentEditor
          key={beginnings}
          name={base.name}
          segment={readRules(base)}
          written={found}
          saving={saving}
          newer={isBehind ? { segment: newest, onTake: discard, onKeep: () => setBase(newest) } : null}
          onWritten={keep}
        />
        {isDeleted && <DeletedNotice noun="segment" />}
        <SizeOverTime segment={newest} />
      </Stack>
    </>
  );
}

/** Opens the page of a segment that was created here. What was written is saved. */
function useOpenCreated(keep: (written: null) => void): (segment: SegmentResponse) => void {
  const [, navigate] = useLocation();
  return ({ id }) => {
    keep(null);
    navigate(`/segments/${id}`, { replace: true });
  };
}

/** @param base the state that the changes are based on; null: the segment is new */
function useSaveSegment(base: SegmentResponse | null, onSaved: (segment: SegmentResponse) => void): SavingSegment {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const show = (segment: SegmentResponse): void =>
    void client.setQueryData(keyOf(appId, '/api/segments/{id}', { path: { id: segment.id } }), segment);
  return useMutation<SegmentResponse, Error, SavedForm>({
    mutationFn: (body) =>
      base === null
        ? answerOf(api.POST('/api/segments', { body }))
        : answerOf(
            api.PUT('/api/segments/{id}', {
              params: { path: { id: base.id } },
              body: { ...body, revision: base.revision },
            }),
          ),
    onError: (error) => {
      if (isEditConflict(error) && error.current !== null) show(error.current as SegmentResponse);
    },
    onSuccess: (segment) => {
      onSaved(segment);
      show(segment);
      void client.invalidateQueries({ queryKey: keyOf(appId, '/api/segments') });
    },
  });
}

function Waiting(): ReactNode {
  return (
    <Stack role="status" aria-label="Reading the segment">
      <Skeleton height={34} width="40%" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}

/** The actions of a saved segment. */
function SegmentActions({ segment }: { segment: SegmentResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const maySend = useCan('send');
  const mayRead = useCan('read');
  const params = { path: { id: segment.id } };
  const remove = async (): Promise<void> => {
    await deletionOf(api.DELETE('/api/segments/{id}', { params }));
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/segments') });
    navigate('/segments');
  };
  return (
    <>
      {mayRead && (
        <Button
          component="a"
          href={applicationUrl(appId, '/api/segments/{id}/export', params)}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export as CSV
        </Button>
      )}
      {maySend && (
        <>
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
            Delete
          </Button>
          <Button
            component={Link}
            href={`/compose?segment=${segment.id}`}
            leftSection={<IconSend size={16} aria-hidden />}
          >
            Send to it
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        title="Delete this segment?"
        confirmLabel="Delete it"
        onConfirm={remove}
        onClose={() => setAsked(false)}
      >
        <Typed text={segment.name} /> is deleted. Sent messages keep a copy of its rules. Devices and users do not
        change.
      </ConfirmDialog>
    </>
  );
}
