import { Alert, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { answerOf, useApi, useAppId } from '../../api/client';
import type { DevicePreviewResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun, formatShare } from '../../components/format';
import { Typed } from '../../components/typed';
import { hasTest, type LanguageDraft } from '../../model/message-draft';
import { tagsOf } from '../../model/message-languages';
import { partsOf } from '../../model/message-variants';
import { NotificationPreview, useApplication } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { previewable, shownContent, withTexts } from './preview';
import type { DryRun } from './use-sending';

/** The sample has this many users: enough to meet each platform. */
const MOST_USERS = 10;

/** One rendering, for a real user. */
interface Rendering {
  key: string;
  userId: string;
  device: DevicePreviewResponse;
}

/** The message as real users of the audience get it: once for each platform, in each language, and each variant of it. */
export function ReviewRenderings({ preview }: { preview: DryRun }): ReactNode {
  const { draft } = useCompose();
  const users = [...new Set(preview.sample.map(({ userId }) => userId))].slice(0, MOST_USERS);
  const recipients = new Set(preview.sample.map(({ installationId }) => installationId));
  const shown = { users, recipients };
  if (!hasTest(draft)) return <InLanguages {...shown} languages={draft.languages} variant={null} />;
  const parts = partsOf(draft, preview.count);
  return (
    <div className={classes.variants}>
      {draft.variants.map(({ key, name, languages }, place) => (
        <section key={key} aria-label={`Variant ${name.trim()}`}>
          <Text fw={600} mb={4} component="h4">
            <Typed text={name.trim()} />: {sayPart(parts.variants[place])}
          </Text>
          <InLanguages {...shown} languages={[...draft.languages, ...languages]} variant={key} />
        </section>
      ))}
    </div>
  );
}

function sayPart(part: { devices: number; share: number } | undefined): string {
  return part === undefined
    ? ''
    : `about ${formatNoun(part.devices, 'device')}, ${formatShare(part.share, 1)} of the audience`;
}

interface OfVariant {
  users: string[];
  /** Installations of the sample: other devices of the same users may get nothing. */
  recipients: ReadonlySet<string>;
  /** The key of the variant that is shown. */
  variant: string | null;
}

function InLanguages({ languages, ...shown }: OfVariant & { languages: readonly LanguageDraft[] }): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const { users, variant } = shown;
  const content = useMemo(() => shownContent(draft, false, variant), [draft, variant]);
  if (users.length === 0) {
    return (
      <>
        <Text size="sm" mb="xs">
          No user can be shown: nobody is reached now. Variables are shown as they are written.
        </Text>
        <NotificationPreview content={content} applicationName={name} defaultAlert={defaultAlertText} />
      </>
    );
  }
  if (languages.length === 0) return <Renderings {...shown} language={undefined} />;
  return ['default', ...tagsOf(languages)].map((language) => (
    <section key={language} aria-label={`In ${language}`}>
      <Text fw={600} size="sm" mt="xs" mb={4}>
        {language === 'default' ? 'Default' : language}
      </Text>
      <Renderings {...shown} language={language} />
    </section>
  ));
}

/** @param language undefined: the one that each device gets */
function Renderings({ users, recipients, language, variant }: OfVariant & { language: string | undefined }): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const api = useApi();
  const appId = useAppId();
  const body = useMemo(
    () => ({ ...previewable(draft, variant), ...(language === undefined ? {} : { language }) }),
    [draft, language, variant],
  );
  const made = useQuery({
    queryKey: [appId, 'push', 'preview', body, users],
    queryFn: ({ signal }) => answerOf(api.POST('/api/push/preview', { body: { ...body, users }, signal })),
    retry: false,
  });
  const content = useMemo(() => shownContent(draft, false, variant), [draft, variant]);
  if (made.error) return <ErrorNotice error={made.error} title="The message could not be made for a user" />;
  if (made.data === undefined)
    return <Skeleton height={120} radius="lg" role="status" aria-label="Making the message" />;
  const all = made.data.users.flatMap(({ userId, devices }) => devices.map((device) => ({ userId, device })));
  const renderings = onePerPlatform(all.filter(({ device }) => recipients.has(device.installationId)));
  return (
    <ul className={classes.renderings}>
      {renderings.map(({ key, userId, device }) => (
        <li key={key}>
          <Text size="sm" mb={6} component="div">
            <Typed text={platformName(device.deviceType)} /> of <Typed text={userId} isMono />
          </Text>
          <NotificationPreview
            content={withTexts(content, device)}
            applicationName={name}
            defaultAlert={defaultAlertText}
            device={device}
            isMade={device.problem === undefined}
          />
          <Warnings device={device} />
        </li>
      ))}
    </ul>
  );
}

const PLATFORMS: Partial<Record<string, string>> = { android: 'Android', ios: 'iOS', web: 'Browser' };

function platformName(deviceType: string | null): string {
  return PLATFORMS[deviceType ?? ''] ?? deviceType ?? 'A device';
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

/** Returns for each platform the first device that gets the message, else the first device. */
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
