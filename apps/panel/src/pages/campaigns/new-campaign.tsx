import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApi, useAppId } from '../../api/application';
import { keyOf } from '../../api/client';
import { NewCampaignRequest } from '../../api/generated/limits';
import { Dialog } from '../../components/dialog';
import { DialogForm } from '../../components/dialog-form';
import { useForm } from '../../components/use-form';

/** Makes a campaign ahead of its first send, so that promo codes can be uploaded for it. */
export function NewCampaign({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Plan a campaign">
      <CampaignForm onClose={onClose} />
    </Dialog>
  );
}

function CampaignForm({ onClose }: { onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const form = useForm({
    initial: { trackId: '', name: '' },
    save: ({ trackId, name }) =>
      api.POST('/api/push/campaigns', { body: { trackId, ...(name === '' ? {} : { name }) } }),
    changes: [keyOf(appId, '/api/push/campaigns')],
    onDone: onClose,
  });
  return (
    <DialogForm form={form} submitLabel="Plan it" onCancel={onClose}>
      <Text size="sm" c="dimmed">
        A campaign that is planned can have promo codes before it is sent. Send it by its track id.
      </Text>
      <TextInput
        label="Track id"
        maxLength={NewCampaignRequest.trackId.maxLength}
        {...form.text('trackId')}
        required
        data-autofocus
      />
      <TextInput
        label="Name"
        maxLength={NewCampaignRequest.name.maxLength}
        description="For people; may be left out"
        {...form.text('name')}
      />
    </DialogForm>
  );
}
