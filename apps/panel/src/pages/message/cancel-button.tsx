import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi, useAppId } from '../../api/application';
import { keyOf } from '../../api/client';
import type { MessageResponse } from '../../api/generated/document';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { formatNoun } from '../../components/format';
import { IconPlayerStop } from '../../components/icons';

/** Stops what is not sent yet, after a question. */
export function CancelButton(props: { kind: 'messages' | 'campaigns'; message: MessageResponse }): ReactNode {
  const { kind, message } = props;
  const [isAsking, setAsking] = useState(false);
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const cancel = async (): Promise<void> => {
    const params = { path: { id: message.id } };
    await api.POST('/api/push/messages/{id}/cancel', { params });
    await client.invalidateQueries({ queryKey: keyOf(appId, `/api/push/${kind}/{id}`, params) });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/push/messages/{id}/deliveries', params) });
  };
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Cancel
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={kind === 'campaigns' ? 'Cancel this campaign?' : 'Cancel this message?'}
        confirmLabel="Stop sending"
        keepLabel="Keep sending"
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      >
        It is not sent to the {formatNoun(message.totals.pending, 'device')} that still wait. What was sent stays sent.
        This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
