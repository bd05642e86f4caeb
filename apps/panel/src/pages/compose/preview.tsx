import { Alert, Button, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useApi, answerOf } from '../../api/client';
import type { DevicePreviewResponse, MessageContentResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import type { MessageBody } from '../../model/message-body';
import { contentOf } from '../../model/message-requests';
import { hasTest, type MessageDraft } from '../../model/message-draft';
import { asVariant } from '../../model/message-variants';
import { useApplication, NotificationPreview } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose, useShownVariant } from './compose-context';

/** The fields without which nothing can be shown. */
const IN_PREVIEW = /^(content|title|data|(variant|language)\..*)$/;

/** What the message looks like, also as it is made for one user. */
export function Preview(): ReactNode {
  const { draft, problems } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const variant = useShownVariant()?.key ?? null;
  const content = useMemo(() => shownContent(draft, 'data' in problems, variant), [draft, problems, variant]);
  const [made, setMade] = useState<{
    of: MessageContentResponse;
    userId: string;
    device: DevicePreviewResponse;
  } | null>(null);
  const personal = made?.of === content ? made : null;
  return (
    <SectionCard title="Preview">
      <Stack gap="md">
        <VariantChoice />
        <NotificationPreview
          content={personal ? withTexts(content, personal.device) : content}
          applicationName={name}
          defaultAlert={defaultAlertText}
        />
        <MadeForUser content={content} onMade={(userId, device) => setMade({ of: content, userId, device })} />
        {personal && <Made userId={personal.userId} device={personal.device} />}
      </Stack>
    </SectionCard>
  );
}

/** Which variant is looked at. */
function VariantChoice(): ReactNode {
  const { draft, showVariant } = useCompose();
  const shown = useShownVariant();
  if (!hasTest(draft)) return null;
  return (
    <NativeSelect
      label="Variant"
      data={draft.variants.map(({ key, name }) => ({ value: key, label: name.trim() || 'Without a name' }))}
      value={shown?.key}
      onChange={({ currentTarget }) => showVariant(currentTarget.value)}
    />
  );
}

function MadeForUser(props: {
  content: MessageContentResponse;
  onMade: (userId: string, device: DevicePreviewResponse) => void;
}): ReactNode {
  const api = useApi();
  const { draft, problems } = useCompose();
  const [userId, setUserId] = useState('');
  const variant = useShownVariant();
  const isUnfinished = Object.keys(problems).some((field) => IN_PREVIEW.test(field));
  const making = useMutation({
    mutationFn: () => {
      const body = { ...previewable(draft, variant?.key ?? null), users: [userId.trim()] };
      return answerOf(api.POST('/api/push/preview', { body }));
    },
    onSuccess: ({ users }) => {
      const device = users[0]?.devices[0];
      if (device) props.onMade(userId.trim(), device);
    },
  });
  const hasNone = making.data !== undefined && making.data.users[0]?.devices.length === 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (userId.trim() !== '') making.mutate();
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Preview for a user"
          placeholder="User id"
          className={classes.grow}
          value={userId}
          onChange={({ currentTarget }) => setUserId(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          className={classes.firm}
          loading={making.isPending}
          disabled={userId.trim() === '' || isUnfinished}
        >
          Show
        </Button>
      </Group>
      {hasNone && (
        <Text size="sm" mt="xs" role="status">
          This user has no device.
        </Text>
      )}
      {making.error && (
        <div className={classes.below}>
          <ErrorNotice error={making.error} title="The preview failed" />
        </div>
      )}
    </form>
  );
}

function Made({ userId, device }: { userId: string; device: DevicePreviewResponse }): ReactNode {
  const { problem, warnings, bytes, limit } = device;
  if (problem) {
    return (
      <Alert color="amber" variant="light" title="This user would get nothing" role="status">
        <Typed text={problem.message} />
      </Alert>
    );
  }
  return (
    <div role="status">
      <Text size="sm">
        As <Typed text={userId} isMono /> gets it on <Typed text={device.deviceType ?? 'a device'} />
        {device.language !== null && (
          <>
            , in <Typed text={device.language} isMono />
          </>
        )}
        {bytes !== undefined && limit !== undefined && (
          <>
            : {formatCount(bytes)} of {formatCount(limit)} bytes
          </>
        )}
        .
      </Text>
      {warnings.length > 0 && (
        <List size="sm" c="dimmed">
          {warnings.map((warning) => (
            <List.Item key={warning}>
              <Typed text={warning} />
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}

/**
 * The draft as the preview shows it: data that is no JSON yet is left out.
 *
 * @param variant the key of the variant to show
 */
export function shownContent(draft: MessageDraft, hasBadData: boolean, variant: string | null): MessageContentResponse {
  const body = contentOf({ ...draft, data: hasBadData ? '' : draft.data, schedule: { kind: 'now', at: '' } });
  const flags = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
  const content = { ...flags, ...body, fallback: undefined };
  return hasTest(draft) ? asVariant(draft, content, variant) : content;
}

/** The content with the texts that were made for a device. */
export function withTexts(
  content: MessageContentResponse,
  { title, body, actions }: DevicePreviewResponse,
): MessageContentResponse {
  const notification = {
    ...content.notification,
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(actions === undefined || actions.length === 0 ? {} : { actions }),
  };
  return { ...content, notification };
}

/**
 * What is asked about: how and when it would be sent plays no part.
 *
 * @param variant the key of the variant to ask about
 */
export function previewable(draft: MessageDraft, variant: string | null): MessageBody & { variant?: string } {
  const winner = { ...draft.winner, kind: 'none' } as const;
  const body = contentOf({ ...draft, winner, schedule: { kind: 'now', at: '' }, rate: '', channel: '', holdout: '' });
  const name = draft.variants.find(({ key }) => key === variant)?.name.trim();
  return body.variants === undefined || name === undefined ? body : { ...body, variant: name };
}
