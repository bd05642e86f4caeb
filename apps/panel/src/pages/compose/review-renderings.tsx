import { Alert, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { answerOf, useApi, useAppId } from '../../api/client';
import type { DevicePreviewResponse } from '../../api/generated/document';
import { ErrorNotice } from '../../components/error-notice';
import { Typed } from '../../components/typed';
import { NotificationPreview, useApplication } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { previewable, shownContent, withTexts } from './preview';
import type { DryRun } from './use-sending';

/** So many users of the sample are asked for: enough to meet each platform. */
const MOST_USERS = 10;

/** One rendering, for a real user. */
interface Rendering {
  key: string;
  userId: string;
  device: DevicePreviewResponse;
}

/** The message as real users of the audience get it: once for each platform, in each language. */
export function ReviewRenderings({ preview }: { preview: DryRun }): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const content = useMemo(() => shownContent(draft, false), [draft]);
  const users = [...new Set(preview.sample.map(({ userId }) => userId))].slice(0, MOST_USERS);
  if (users.length === 0) {
    return (
      <>
        <Text size="sm" mb="xs">
          No user can be shown: nobody is reached now. Variables stand as they are written.
        </Text>
        <NotificationPreview content={content} applicationName={name} defaultAlert={defaultAlertText} />
      </>
    );
  }
  if (draft.languages.length === 0) return <Renderings users={users} language={undefined} />;
  const tags = draft.languages.map(({ tag }) => tag.trim());
  return ['default', ...tags].map((language) => (
    <section key={language} aria-label={`In ${language}`}>
      <Text fw={600} size="sm" mt="xs" mb={4}>
        {language === 'default' ? 'Default' : language}
      </Text>
      <Renderings users={users} language={language} />
    </section>
  ));
}

/** @param language undefined: the one that each device gets */
function Renderings({ users, language }: { users: string[]; language: string | undefined }): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const api = useApi();
  const appId = useAppId();
  const body = useMemo(
    () => ({ ...previewable(draft), ...(language === undefined ? {} : { language }) }),
    [draft, language],
  );
  const made = useQuery({
    queryKey: [appId, 'push', 'preview', body, users],
    queryFn: ({ signal }) => answerOf(api.POST('/api/push/preview', { body: { ...body, users }, signal })),
    retry: false,
  });
  const content = useMemo(() => shownContent(draft, false), [draft]);
  if (made.error) return <ErrorNotice error={made.error} title="The message could not be made for a user" />;
  if (made.data === undefined)
    return <Skeleton height={120} radius="lg" role="status" aria-label="Making the message" />;
  const renderings = onePerPlatform(
    made.data.users.flatMap(({ userId, devices }) => devices.map((device) => ({ userId, device }))),
  );
  return (
    <ul className={classes.renderings}>
      {renderings.map(({ key, userId, device }) => (
        <li key={key}>
          <Text size="sm" mb={6} component="div">
            <Typed text={device.deviceType ?? 'A device'} /> of <Typed text={userId} isMono />
          </Text>
          <NotificationPreview
            content={withTexts(content, device)}
            applicationName={name}
            defaultAlert={defaultAlertText}
          />
          <Warnings device={device} />
        </li>
      ))}
    </ul>
  );
}

function Warnings({ device: { problem, warnings } }: { device: DevicePreviewResponse }): ReactNode {
  const found = [...(problem ? [problem.message] : []), ...warnings];
  if (found.length === 0) return null;
  return (
    <Alert color="amber" variant="light" mt="xs">
      {found.map((warning) => (
        <div key={warning}>
          <Typed text={warning} />
        </div>
      ))}
    </Alert>
  );
}

/** Of each platform the first device that gets the message, or else the first. */
function onePerPlatform(devices: readonly Omit<Rendering, 'key'>[]): Rendering[] {
  const found = new Map<string, Rendering>();
  for (const { userId, device } of devices) {
    const key = device.deviceType ?? '';
    const known = found.get(key);
    if (known === undefined || (known.device.problem !== undefined && device.problem === undefined)) {
      found.set(key, { key, userId, device });
    }
  }
  return [...found.values()];
}
