import { Button, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, isEditConflict } from '../../api/api-error';
import { keyOf, useApi, useAppId } from '../../api/client';
import type { MessageResponse } from '@postrider/server/document';
import { useCan } from '../../api/session';
import { ConflictNotice } from '../../components/conflict-notice';
import { Dialog, DialogForm } from '../../components/dialog';
import { formatMoment, formatWallTime } from '../../components/format';
import { IconPencil } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type Problems, useForm } from '../../components/use-form';
import {
  changesOf,
  type MergedForm,
  mergeForms,
  type ScheduledForm,
  scheduledForm,
} from '../../model/scheduled-message';
import { CHANGE_NOTHING } from './words';

/** True if a language or a variant may say something else than the message. */
function hasOwnWords({ content: { localized, variants } }: MessageResponse): boolean {
  return variants !== undefined || Object.keys(localized ?? {}).length > 0;
}

/** When a waiting message leaves, and a way to change that. */
export function ScheduledCard(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  isWaiting: boolean;
}): ReactNode {
  const { kind, message, isWaiting } = props;
  const [isOpen, setOpen] = useState(false);
  const maySend = useCan('send');
  const { startsAt, sendAt, localTime } = message;
  // A person who is editing when the message leaves is told so.
  if (!isWaiting && !isOpen) return null;
  return (
    <SectionCard
      title="Scheduled"
      actions={
        maySend &&
        isWaiting && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            Move or edit
          </Button>
        )
      }
    >
      <Text size="sm" component="div">
        {isWaiting ? (
          <>
            It leaves <Moment at={startsAt} />, on {formatMoment(startsAt)}
            {localTime && (
              <> in the first time zone: at {formatWallTime(sendAt ?? startsAt)}, local time of each device</>
            )}
            . Until then it can be moved, edited or cancelled.
          </>
        ) : message.status === 'cancelled' ? (
          'It was cancelled, and can no longer be changed.'
        ) : (
          <>
            It left <Moment at={startsAt} />, and can no longer be changed.
          </>
        )}
      </Text>
      <Dialog isOpen={isOpen} title="Move or edit" onClose={() => setOpen(false)}>
        <EditForm kind={kind} message={message} onClose={() => setOpen(false)} />
      </Dialog>
    </SectionCard>
  );
}

function EditForm(props: { kind: 'messages' | 'campaigns'; message: MessageResponse; onClose: () => void }): ReactNode {
  const { kind, message, onClose } = props;
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const params = { path: { id: message.id } };
  const read = keyOf(appId, `/api/push/${kind}/{id}`, params);
  // The page reads the message again meanwhile: a change is one of the message as it was when the dialog opened.
  const [base, setBase] = useState(message);
  const [others, setOthers] = useState<OthersChange | null>(null);
  const form = useForm<ScheduledForm>({
    initial: () => scheduledForm(base),
    check: ({ at }): Problems => (Number.isNaN(Date.parse(at)) ? { at: 'Enter a day and a time' } : {}),
    fields: () => ['sendAt', 'content', 'notification', 'alertText'],
    save: async (values) => {
      const body = changesOf(base, values);
      if (Object.keys(body).length === 0) return;
      const query = { revision: base.revision };
      try {
        await api.PATCH('/api/push/messages/{id}', { params: { ...params, query }, body });
      } catch (error) {
        if (isEditConflict(error)) meet(values, error.current as MessageResponse);
        // It left, or another person cancelled it: the page shows the result.
        if (error instanceof ApiError && error.status === 409) void client.invalidateQueries({ queryKey: read });
        throw error;
      }
    },
    said: 'The message is changed.',
    changes: [read, keyOf(appId, '/api/push/messages'), keyOf(appId, '/api/push/campaigns')],
    onDone: onClose,
  });
  const meet = (mine: ScheduledForm, current: MessageResponse): void => {
    const theirs = scheduledForm(current);
    const merged = mergeForms(scheduledForm(base), mine, theirs);
    form.change(merged.form);
    setBase(current);
    setOthers({ theirs, disputed: merged.disputed });
  };
  const { silent } = base.content;
  return (
    <DialogForm
      form={isEditConflict(form.error) ? { ...form, error: null } : form}
      submitLabel="Save the change"
      errorTitle="Nothing was changed"
      cancelLabel={CHANGE_NOTHING}
      onCancel={onClose}
    >
      <Stack gap="md">
        {others !== null && <OthersNotice {...others} />}
        <TextInput
          type="datetime-local"
          label={base.localTime ? 'Local day and time' : 'Day and time'}
          description={
            base.localTime
              ? 'Local time of each device.'
              : `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
          }
          {...form.text('at')}
          error={form.problemOf('at') ?? form.problemOf('sendAt')}
          data-autofocus
        />
        {!silent && <TextInput label="Title" {...form.text('title')} error={form.problemOf('notification')} />}
        <Textarea label="Text" autosize minRows={3} {...form.text('content')} />
        {form.values.shown !== null && (
          <Textarea
            label="Text of the notification"
            description="It differs from the text."
            autosize
            minRows={2}
            value={form.values.shown}
            onChange={({ currentTarget }) => form.change({ shown: currentTarget.value })}
            error={form.problemOf('alertText')}
          />
        )}
        {hasOwnWords(base) && (
          <Text size="sm" c="dimmed">
            Its languages and variants keep their own texts. To change those, use the API, or cancel it and send it
            again.
          </Text>
        )}
      </Stack>
    </DialogForm>
  );
}

/** What somebody else has changed while the message was edited here. */
interface OthersChange {
  theirs: ScheduledForm;
  disputed: MergedForm['disputed'];
}

const FIELD_NAMES: Record<keyof ScheduledForm, string> = {
  at: 'Day and time',
  title: 'Title',
  content: 'Text',
  shown: 'Text of the notification',
};

function OthersNotice({ theirs, disputed }: OthersChange): ReactNode {
  return (
    <ConflictNotice title="Somebody else has changed it meanwhile" takesFocus>
      Nothing of yours is saved yet. Fields that you did not change show what they saved. Save again to add your change.
      {disputed.length > 0 && (
        <List size="sm" mt="xs">
          {disputed.map((name) => (
            <List.Item key={name}>
              {FIELD_NAMES[name]}, as they saved it:{' '}
              <Typed text={name === 'at' ? formatMoment(theirs.at) : (theirs[name] ?? 'as the text')} lines={4} />
            </List.Item>
          ))}
        </List>
      )}
    </ConflictNotice>
  );
}
