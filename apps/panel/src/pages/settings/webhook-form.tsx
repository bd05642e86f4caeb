import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { WEBHOOK_EVENT_TYPES } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import type { WebhookResponse } from '../../api/generated/document';
import { NewWebhookRequest } from '../../api/generated/limits';
import { ErrorNotice } from '../../components/error-notice';
import { FormButtons } from '../../components/form-buttons';
import { IconKey } from '../../components/icons';
import { SecretOnce } from '../../components/secret-once';
import { useSave } from './use-save';

/** Makes a webhook, and shows the secret that signs its calls this once. */
export function WebhookForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => {
    setSecret(null);
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={secret === null ? 'New webhook' : 'Save this secret now: it is shown once'}
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
      withCloseButton={secret === null}
    >
      {isOpen && secret === null && <Form onMade={setSecret} onClose={close} />}
      {secret !== null && (
        <Stack>
          <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />}>
            Your system checks with it that a call is really from here.
          </Alert>
          <SecretOnce label="Secret" value={secret} />
          <Group justify="flex-end">
            <Button onClick={close}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Form({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<WebhookResponse['events']>(['message.done']);
  const making = useSave<undefined, WebhookResponse>({
    save: () => answerOf(api.POST('/api/webhooks', { body: { url, events } })),
    changes: [keyOf(appId, '/api/webhooks')],
    onDone: ({ secret }) => (secret === undefined ? onClose() : onMade(secret)),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(undefined);
      }}
    >
      <Stack>
        <TextInput
          label="Address"
          maxLength={NewWebhookRequest.url.maxLength}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={problemAt(making.error, 'url')}
          required
          data-autofocus
        />
        <Checkbox.Group
          label="Called when"
          value={events}
          onChange={setEvents}
          error={problemAt(making.error, 'events')}
        >
          <Stack gap={8} mt={6}>
            {WEBHOOK_EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ErrorNotice error={making.error} shownPaths={['url', 'events']} />
        <FormButtons
          submitLabel="Create webhook"
          isBusy={making.isPending}
          isDisabled={events.length === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
