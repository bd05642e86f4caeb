import { Alert, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { answerOf, useApi, useAppId } from '../../api/client';
import type { DevicePreviewResponse, PreviewResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun, formatShare, platformName } from '../../components/format';
import { Typed } from '../../components/typed';
import { hasTest, type LanguageDraft } from '../../model/message-draft';
import { tagsOf } from '../../model/message-languages';
import { partsOf } from '../../model/message-variants';
import { smsParts } from '../../model/sms-parts';
import { NotificationPreview, useApplication } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { inLanguage, previewable, shownContent, withTexts } from './preview';
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
  if (!hasTest(draft)) return <InLanguages preview={preview} languages={draft.languages} variant={null} />;
  const parts = partsOf(draft, preview.count);
  return (
    <div className={classes.variants}>
      {draft.variants.map(({ key, name, languages }, place) => (
        <section key={key} aria-label={`Variant ${name.trim()}`}>
          <Text fw={600} mb={4} component="h4">
            <Typed text={name.trim()} />: {sayPart(parts.variants[place])}
          </Text>
          <InLanguages preview={preview} languages={[...draft.languages, ...languages]} variant={key} />
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
  preview: DryRun;
  /** The key of the variant that is shown. */
  variant: string | null;
}

function InLanguages(props: OfVariant & { languages: readonly LanguageDraft[] }): ReactNode {
  const { preview, variant, languages } = props;
  if (languages.length === 0) return <Renderings sample={preview.sample} variant={variant} />;
  return ['default', ...tagsOf(languages)].map((language) => {
    const speakers = speakersOf(language, preview);
    return (
      <section key={language} aria-label={`In ${language}`}>
        <Text fw={600} size="sm" mt="xs" mb={4}>
          {language === 'default' ? 'Default' : language}
          {speakers !== undefined && (
            <Text span inherit fw={400} c="dimmed">
              : {sayGets(speakers.count)}
            </Text>
          )}
        </Text>
        <Renderings sample={speakers?.sample ?? preview.sample} language={language} variant={variant} />
      </section>
    );
  });
}

/** Returns who gets a language; undefined: that was not counted. */
function speakersOf(language: string, { byLanguage }: DryRun): NonNullable<DryRun['byLanguage']>[number] | undefined {
  const wanted = language.toLowerCase();
  return byLanguage?.find((one) => (one.language ?? 'default').toLowerCase() === wanted);
}

function sayGets(devices: number): string {
  return `${formatNoun(devices, 'device')} of the audience ${devices === 1 ? 'gets' : 'get'} it`;
}

/** The message without a user to make it for. */
function AsWritten({ variant, language }: { variant: string | null; language: string | undefined }): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const content = useMemo(
    () => inLanguage(shownContent(draft, false, variant), language ?? 'default'),
    [draft, language, variant],
  );
  return (
    <>
      <Text size="sm" mb="xs">
        {language === undefined
          ? 'No user can be shown: nobody is reached now. Variables are shown as they are written.'
          : 'No user can be shown: nobody of the audience gets it now. Variables are shown as they are written.'}
      </Text>
      <NotificationPreview content={content} applicationName={name} defaultAlert={defaultAlertText} />
    </>
  );
}

/** What to show: who it is for, and as what. */
interface Rendered {
  /** Recipients: other devices of the same users may get nothing, or another language. */
  sample: DryRun['sample'];
  variant: string | null;
  /** Left out: the one that each device gets. */
  language?: string;
}

function Renderings({ sample, language, variant }: Rendered): ReactNode {
  return sample.length === 0 ? (
    <AsWritten variant={variant} language={language} />
  ) : (
    <Made sample={sample} language={language} variant={variant} />
  );
}

function Made({ sample, language, variant }: Rendered): ReactNode {
  const { draft } = useCompose();
  const { name, defaultAlertText } = useApplication();
  const api = useApi();
  const appId = useAppId();
  const body = useMemo(
    () => ({ ...previewable(draft, variant), ...(language === undefined ? {} : { language }) }),
    [draft, language, variant],
  );
  const users = [...new Set(sample.map(({ userId }) => userId))].slice(0, MOST_USERS);
  const recipients = new Set(sample.map(({ installationId }) => installationId));
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
            <Typed text={device.deviceType === null ? 'A device' : platformName(device.deviceType)} /> of{' '}
            <Typed text={userId} isMono />
          </Text>
          <NotificationPreview
            content={withTexts(content, device)}
            applicationName={name}
            defaultAlert={defaultAlertText}
            device={device}
            isMade={device.problem === undefined}
          />
          <Warnings problem={device.problem} warnings={device.warnings} />
        </li>
      ))}
      <Sms of={made.data.users} />
    </ul>
  );
}

/** The SMS of the first user who gets one; nothing if the message has none. */
function Sms({ of }: { of: PreviewResponse['users'] }): ReactNode {
  const found = of.find(({ sms }) => sms !== undefined);
  if (found?.sms === undefined) return null;
  const { text = '', problem } = found.sms;
  const parts = smsParts(text);
  return (
    <li>
      <Text size="sm" mb={6} component="div">
        SMS to <Typed text={found.userId} isMono />
        {parts > 1 && ` in ${parts} parts`}, if no device confirms the message
      </Text>
      <Text size="sm" component="div">
        <Typed text={text} lines={10} />
      </Text>
      <Warnings problem={problem} warnings={[]} />
    </li>
  );
}

function Warnings({ problem, warnings }: Pick<DevicePreviewResponse, 'problem' | 'warnings'>): ReactNode {
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
