import { Checkbox, Stack, TextInput } from '@mantine/core';
import { WEBHOOK_EVENT_TYPES } from '@postrider/domain';
import type { ReactNode } from 'react';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import type { WebhookResponse } from '../../api/generated/document';
import { NewWebhookRequest } from '../../api/generated/limits';
import { DialogForm } from '../../components/dialog-form';
import { SecretDialog } from '../../components/secret-dialog';
import { useForm } from '../../components/use-form';

/** Makes a webhook, and shows the secret that signs its calls this once. */
export function WebhookForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <SecretDialog<string>
      isOpen={isOpen}
      onClose={onClose}
      title="New webhook"
      madeTitle="Save this secret now: it is shown once"
      about="Your system checks with it that a call is really from here."
      secrets={(value) => [{ label: 'Secret', value }]}
      savedLabel="I have saved it"
      form={(onMade) => <Form onMade={onMade} onClose={onClose} />}
    />
  );
}

function Form({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const form = useForm<{ url: string; events: WebhookResponse['events'] }, WebhookResponse>({
    initial: { url: 'https://', events: ['message.done'] },
    save: (body) => answerOf(api.POST('/api/webhooks', { body })),
    changes: [keyOf(appId, '/api/webhooks')],
    onDone: ({ secret }) => (secret === undefined ? onClose() : onMade(secret)),
  });
  return (
    <DialogForm
      form={form}
      submitLabel="Create webhook"
      isDisabled={form.values.events.length === 0}
      onCancel={onClose}
    >
      <TextInput
        label="Address"
        maxLength={NewWebhookRequest.url.maxLength}
        {...form.text('url')}
        required
        data-autofocus
      />
      <Checkbox.Group
        label="Called when"
        value={form.values.events}
        onChange={(events) => form.change({ events })}
        error={form.problemOf('events')}
      >
        <Stack gap={8} mt={6}>
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DialogForm>
  );
}
