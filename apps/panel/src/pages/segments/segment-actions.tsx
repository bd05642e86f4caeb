import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi, useAppId } from '../../api/application';
import { applicationUrl, keyOf } from '../../api/client';
import type { SegmentResponse } from '../../api/generated/document';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { IconDownload, IconSend, IconTrash } from '../../components/icons';
import { Typed } from '../../components/typed';

/** What can be done with a saved segment as it stands. */
export function SegmentActions({ segment }: { segment: SegmentResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const maySend = useCan('send');
  const mayRead = useCan('read');
  const params = { path: { id: segment.id } };
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/segments/{id}', { params });
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
        <Typed text={segment.name} /> is forgotten. Messages that were sent to it keep their rules; nothing happens to
        devices and users.
      </ConfirmDialog>
    </>
  );
}
