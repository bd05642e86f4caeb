import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi, useAppId } from '../../api/application';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun } from '../../components/format';
import { IconFlask } from '../../components/icons';
import { readTypedUsers } from '../../model/message-draft';
import { testRequestOf } from '../../model/message-requests';
import { useCompose } from './compose-context';
import { send } from './send-requests';
import { newDraftId } from './use-draft';

/** Sends the message as it stands to a few users, to see it on real devices first. */
export function TestSend({ isDisabled }: { isDisabled: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFlask size={16} aria-hidden />}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        Test it
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Send a test">
        {isOpen && <TestForm />}
      </Modal>
    </>
  );
}

function TestForm(): ReactNode {
  const api = useApi();
  const key = `postrider-testers-${useAppId()}`;
  const { draft } = useCompose();
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '');
  const users = readTypedUsers(text);
  const testing = useMutation({
    mutationFn: () => {
      localStorage.setItem(key, users.join('\n'));
      return send(api, [testRequestOf(draft, users, newDraftId())]);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (users.length > 0) testing.mutate();
      }}
    >
      <Stack gap="md">
        <Textarea
          label="User ids of testers"
          description="They get it at once, on all their devices. No SMS follows, and no schedule holds it back."
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ErrorNotice error={testing.error} title="The test was not sent" />
        {testing.data && (
          <Text size="sm" role="status">
            {testing.data.count === 0
              ? 'None of them has a device that can be reached.'
              : `On its way to ${formatNoun(testing.data.count, 'device')}.`}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={testing.isPending} disabled={users.length === 0}>
            Send the test
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
