import { Alert, Button, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { contentOfEdition, type MessageContent } from '@postrider/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { answerOf, useApi, useAppId } from '../../api/client';
import type { DevicePreviewResponse, MessageContentResponse, PreviewResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, platformName } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { TextWarnings } from '../../components/text-warnings';
import { Typed } from '../../components/typed';
import type { MessageBody } from '../../model/message-body';
import { contentOf } from '../../model/message-requests';
import { hasTest, type MessageDraft } from '../../model/message-draft';
import { tagsOf } from '../../model/message-languages';
import { asVariant } from '../../model/message-variants';
import { withVariables } from '../../model/template-variables';
import { useApplication, NotificationPreview } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose, useShownVariant } from './compose-context';

/** The fields without which nothing can be shown. */
const IN_PREVIEW = /^(content|title|data|(variant|language)\..*)$/;

/** The preview for a user is made again this long after the last key press. */
const RESTING_MS = 500;

/** The look of the message, also as it is made for one user. */
export function Preview(): ReactNode {
  const { draft, problems } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const variant = useShownVariant()?.key ?? null;
  const [language, setLanguage] = useShownLanguage();
  const content = useMemo(
    () => inLanguage(shownContent(draft, 'data' in problems, variant), language),
    [draft, problems, variant, language],
  );
  const [userId, setUserId] = useState<string | null>(null);
  const making = useMadeFor(userId, variant, language);
  const device = making.data?.users[0]?.devices[0];
  return (
    <SectionCard title="Preview">
      <Stack gap="md">
        <VariantChoice />
        <LanguageChoice language={language} isOfUser={userId !== null} onChange={setLanguage} />
        <NotificationPreview
          content={device ? withTexts(content, device) : withValues(content, draft.variables)}
          applicationName={name}
          defaultAlert={defaultAlertText}
          isMade={device !== undefined && device.problem === undefined}
        />
        <UserChoice
          shown={userId}
          isMaking={making.isFetching}
          onShow={(chosen) => (chosen === userId ? making.again() : setUserId(chosen))}
        />
        {making.data && device === undefined && (
          <Text size="sm" role="status">
            This user has no device.
          </Text>
        )}
        {making.error && <ErrorNotice error={making.error} title="The preview failed" />}
        {userId !== null && device && <Made userId={userId} device={device} />}
        <TextWarnings warnings={making.data?.warnings ?? []} />
      </Stack>
    </SectionCard>
  );
}

/**
 * The message as it is made for a user: again whenever something changes that they would see. While it is made, it stays as it was.
 *
 * @param userId null: nobody was chosen
 * @param variant the key of the variant that is looked at
 * @param language OWN: the one that each device gets
 */
function useMadeFor(userId: string | null, variant: string | null, language: string): MadeFor {
  const api = useApi();
  const appId = useAppId();
  const { draft, problems } = useCompose();
  const isUnfinished = Object.keys(problems).some((field) => IN_PREVIEW.test(field));
  const asked = language === OWN ? {} : { language };
  const said = isUnfinished ? null : JSON.stringify({ ...previewable(draft, variant), ...asked });
  const [settled] = useDebouncedValue(said, RESTING_MS);
  const isAsked = userId !== null && said !== null && settled !== null;
  const made = useQuery({
    queryKey: [appId, 'push', 'preview', settled, userId],
    queryFn: ({ signal }) => {
      const body = { ...(JSON.parse(settled ?? '') as MessageBody), users: [userId ?? ''] };
      return answerOf(api.POST('/api/push/preview', { body, signal }));
    },
    enabled: isAsked,
    retry: false,
    placeholderData: (previous) => (previous?.users[0]?.userId === userId ? previous : undefined),
  });
  const { data, error, isFetching } = made;
  return {
    data: isAsked ? data : undefined,
    error: isAsked ? error : null,
    isFetching,
    again: () => void made.refetch(),
  };
}

/** The state of a preview for a user. */
interface MadeFor {
  data: PreviewResponse | undefined;
  error: Error | null;
  isFetching: boolean;
  again: () => void;
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

/** No language: for a user the one that each of their devices gets, else the default. */
const OWN = '';
const DEFAULT = 'default';

/** The shown language: that which is written, unless another one is chosen. One that was removed is not shown any more. */
function useShownLanguage(): [string, (language: string) => void] {
  const { language, showLanguage } = useCompose();
  const languages = useLanguages();
  return [language === DEFAULT || languages.includes(language) ? language : OWN, showLanguage];
}

/** Returns the languages of the message, and of the shown variant. */
function useLanguages(): string[] {
  const { draft } = useCompose();
  const variant = useShownVariant();
  const ofVariant = hasTest(draft) ? (variant?.languages ?? []) : [];
  return tagsOf([...draft.languages, ...ofVariant]).filter((tag) => tag !== '');
}

/** The choice of the shown language. */
function LanguageChoice(props: {
  language: string;
  isOfUser: boolean;
  onChange: (language: string) => void;
}): ReactNode {
  const { language, isOfUser, onChange } = props;
  const languages = useLanguages();
  if (languages.length === 0) return null;
  const usual = isOfUser ? [{ value: OWN, label: 'The user’s own' }] : [];
  return (
    <NativeSelect
      label="Language"
      data={[...usual, { value: isOfUser ? DEFAULT : OWN, label: 'Default' }, ...languages]}
      value={!isOfUser && language === DEFAULT ? OWN : language}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Returns the content in one of its languages; `default`: without any. */
export function inLanguage(content: MessageContentResponse, language: string): MessageContentResponse {
  if (language === OWN || language === DEFAULT) return content;
  return contentOfEdition(content as MessageContent, { language }) as MessageContentResponse;
}

/** Which user it is made for. */
function UserChoice(props: {
  shown: string | null;
  isMaking: boolean;
  onShow: (userId: string | null) => void;
}): ReactNode {
  const { shown, isMaking, onShow } = props;
  const { problems } = useCompose();
  const [typed, setTyped] = useState('');
  const userId = typed.trim();
  const isUnfinished = Object.keys(problems).some((field) => IN_PREVIEW.test(field));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (userId !== '') onShow(userId);
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Preview for a user"
          placeholder="User id"
          className={classes.grow}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            if (currentTarget.value === '') onShow(null);
          }}
        />
        <Button
          type="submit"
          variant="default"
          className={classes.firm}
          loading={isMaking && shown === userId}
          disabled={userId === '' || isUnfinished}
        >
          Show
        </Button>
      </Group>
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
        As <Typed text={userId} isMono /> gets it on <Typed text={platformName(device.deviceType ?? 'a device')} />
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

/** The content with the values that were filled in for the variables of its template. */
function withValues(content: MessageContentResponse, variables: MessageDraft['variables']): MessageContentResponse {
  if (variables.length === 0) return content;
  return JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === 'string' ? withVariables(value, variables) : value,
  ) as MessageContentResponse;
}

/**
 * Returns the part of a draft that the preview depends on: how and when it would be sent does not matter.
 * @param variant the key of the variant to ask about
 */
export function previewable(draft: MessageDraft, variant: string | null): MessageBody & { variant?: string } {
  const winner = { ...draft.winner, kind: 'none' } as const;
  const body = contentOf({ ...draft, winner, schedule: { kind: 'now', at: '' }, rate: '', channel: '', holdout: '' });
  const name = draft.variants.find(({ key }) => key === variant)?.name.trim();
  return body.variants === undefined || name === undefined ? body : { ...body, variant: name };
}
