import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { formatNoun } from '../../components/format';
import { IconTrash } from '../../components/icons';

/** Erases a user, after their id was typed. */
export function EraseUser({ userId }: { userId: string }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  if (!useCan('server')) return null;
  const params = { path: { userId } };
  const erase = async (): Promise<void> => {
    const { devices, messages } = await answerOf(api.DELETE('/api/users/{userId}', { params }));
    notifications.show({
      color: 'pine',
      message: `Erased: ${formatNoun(devices, 'device')} and what was sent to this user alone (${formatNoun(messages, 'message')}).`,
    });
    client.removeQueries({ queryKey: keyOf(appId, '/api/users/{userId}', params) });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/users') });
    navigate('/users');
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        Erase
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title="Erase this user?"
        confirmLabel="Erase for good"
        typed={userId}
        onConfirm={erase}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          All devices, tags, attributes, deliveries and the messages sent to this user alone are deleted, and the name
          is taken out of all others. Nothing brings them back: export first what you have to keep.
        </Text>
      </ConfirmDialog>
    </>
  );
}
