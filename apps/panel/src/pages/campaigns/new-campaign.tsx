import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import { useApi, useAppId } from '../../api/application';
import { keyOf } from '../../api/client';
import { NewCampaignRequest } from '../../api/generated/limits';
import { ErrorNotice } from '../../components/error-notice';
import { FormButtons } from '../../components/form-buttons';

/** Makes a campaign ahead of its first send, so that promo codes can be uploaded for it. */
export function NewCampaign({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Plan a campaign">
      {isOpen && <Form onClose={onClose} />}
    </Modal>
  );
}

function Form({ onClose }: { onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [trackId, setTrackId] = useState('');
  const [name, setName] = useState('');
  const making = useMutation({
    mutationFn: () => api.POST('/api/push/campaigns', { body: { trackId, ...(name === '' ? {} : { name }) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf(appId, '/api/push/campaigns') });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          A campaign that is planned can have promo codes before it is sent. Send it by its track id.
        </Text>
        <TextInput
          label="Track id"
          maxLength={NewCampaignRequest.trackId.maxLength}
          value={trackId}
          onChange={({ currentTarget }) => setTrackId(currentTarget.value)}
          error={problemAt(making.error, 'trackId')}
          required
          data-autofocus
        />
        <TextInput
          label="Name"
          maxLength={NewCampaignRequest.name.maxLength}
          description="For people; may be left out"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={problemAt(making.error, 'name')}
        />
        <ErrorNotice error={making.error} shownPaths={['trackId', 'name']} />
        <FormButtons submitLabel="Plan it" isBusy={making.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
