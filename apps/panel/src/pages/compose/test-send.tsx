import { Button, NativeSelect, Text, Textarea } from '@mantine/core';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useApi, useAppId } from '../../api/client';
import { keepText, readKeptText } from '../../components/browser-store';
import { Dialog, DialogForm } from '../../components/dialog';
import { formatNoun } from '../../components/format';
import { IconFlask } from '../../components/icons';
import { useForm } from '../../components/use-form';
import { hasTest, readTypedUsers } from '../../model/message-draft';
import { type SendCall, testRequestOf } from '../../model/message-requests';
import { useCompose, useShownVariant, newDraftId } from './compose-context';
import { fingerprint, send } from './use-sending';

/** Sends the message in its current form to a few users, to see it on real devices first. */
export function TestSend({ isDisabled }: { isDisabled: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const unanswered = useRef<SendCall | null>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFlask size={16} aria-hidden />}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        Test
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Send a test">
        <TestForm unanswered={unanswered} />
      </Dialog>
    </>
  );
}

/**
 * @param props.unanswered the test that was sent without an answer. Testers may have it: the same one is sent under the same idempotency
 *   key again
 */
function TestForm({ unanswered }: { unanswered: RefObject<SendCall | null> }): ReactNode {
  const api = useApi();
  const key = `postrider-testers-${useAppId()}`;
  const { draft } = useCompose();
  const shown = useShownVariant();
  const [sentTo, setSentTo] = useState<number | null>(null);
  const form = useForm<{ testers: string; variant: string }, { count: number }>({
    initial: () => ({ testers: readKeptText(key) ?? '', variant: (hasTest(draft) && shown?.key) || '' }),
    fields: () => [],
    save: async ({ testers, variant }) => {
      const users = readTypedUsers(testers);
      setSentTo(null);
      keepText(key, users.join('\n'));
      const request = testRequestOf(draft, users, newDraftId(), variant || null);
      const former = unanswered.current;
      const isAgain = former !== null && fingerprint([former]) === fingerprint([request]);
      unanswered.current = isAgain ? former : request;
      const sent = await send(api, [unanswered.current]);
      unanswered.current = null;
      return sent;
    },
    changes: [],
    onDone: ({ count }) => setSentTo(count),
  });
  return (
    <DialogForm
      form={form}
      submitLabel="Send the test"
      isDisabled={readTypedUsers(form.values.testers).length === 0}
      errorTitle="The test was not sent"
    >
      {hasTest(draft) && (
        <NativeSelect
          label="Variant"
          data={draft.variants.map((variant) => ({
            value: variant.key,
            label: variant.name.trim() || 'Without a name',
          }))}
          value={form.values.variant}
          onChange={({ currentTarget }) => form.change({ variant: currentTarget.value })}
        />
      )}
      <Textarea
        label="User ids of testers"
        description="They get the message at once, on all their devices, without a schedule or fallback SMS."
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        data-autofocus
        value={form.values.testers}
        onChange={form.text('testers').onChange}
      />
      {sentTo !== null && (
        <Text size="sm" role="status">
          {sentTo === 0
            ? 'None of them has a device that can be reached.'
            : `Accepted for ${formatNoun(sentTo, 'device')}.`}
        </Text>
      )}
    </DialogForm>
  );
}
