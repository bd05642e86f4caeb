import { SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { MessageContentResponse, ApplicationResponse } from '@postrider/server/document';
import { IconInfoCircle, IconWorld } from '../../components/icons';
import { Typed } from '../../components/typed';
import { shownTextOf } from './message-cell';
import classes from './notification-preview.module.css';
import { useAppId } from '../../api/client';
import { useAdminRead } from '../../api/reading';
import { useSession } from '../../api/session';

type Platform = 'android' | 'ios' | 'web';

const PLATFORMS = [
  { value: 'android', label: 'Android' },
  { value: 'ios', label: 'iPhone' },
  { value: 'web', label: 'Web' },
] as const;

/**
 * A likeness of a message on a device, for its length and its lines. All of it is text, and read out: a picture's content is not.
 */
export function NotificationPreview(props: {
  content: MessageContentResponse;
  applicationName: string;
  defaultAlert?: string | undefined;
  /** The one device that it was made for: no other is shown. */
  device?: { deviceType: string | null };
  /** True if its texts were made for a user: nothing in them is replaced any more. */
  isMade?: boolean;
}): ReactNode {
  const { content, applicationName, defaultAlert, device, isMade = false } = props;
  const [chosen, choose] = useState<Platform>('android');
  const platform =
    device === undefined ? chosen : (PLATFORMS.find(({ value }) => value === device.deviceType)?.value ?? 'android');
  const { label } = PLATFORMS.find(({ value }) => value === platform) ?? PLATFORMS[0];
  const shown = shownTextOf(content, applicationName, defaultAlert);
  return (
    <div>
      {device === undefined && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Preview as"
          data={PLATFORMS.map((one) => ({ ...one }))}
          value={platform}
          onChange={(value) => choose(value)}
        />
      )}
      <div className={classes.stage} data-platform={platform} role="group" aria-label={`Preview on ${label}`}>
        {platform !== 'web' && (
          <div className={classes.clock} aria-hidden>
            9:41
          </div>
        )}
        {shown === null ? (
          <div className={classes.nothing}>Silent: the device shows nothing</div>
        ) : (
          <Card
            platform={platform}
            content={content}
            title={shown.title ?? applicationName}
            body={shown.body}
            name={applicationName}
          />
        )}
      </div>
      {!isMade && hasTemplate(content) && (
        <Text size="xs" c="dimmed" mt="xs" className={classes.note}>
          <IconInfoCircle size={14} aria-hidden /> Text in {'{{ … }}'} is replaced for each user.
        </Text>
      )}
    </div>
  );
}

/** The first letter of a name. An emoji of several code points is one letter, but Firefox has no `Segmenter` before version 125. */
function firstLetterOf(name: string): string {
  const { Segmenter } = Intl as { Segmenter?: typeof Intl.Segmenter };
  const [first = ''] = Segmenter ? Array.from(new Segmenter().segment(name), ({ segment }) => segment) : name;
  return first.toUpperCase();
}

function Card(props: {
  platform: Platform;
  content: MessageContentResponse;
  title: string;
  body: string;
  name: string;
}): ReactNode {
  const { platform, content, title, body, name } = props;
  const { notification } = content;
  const actions = notification?.actions ?? [];
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <span className={classes.icon} aria-hidden>
          {platform === 'web' ? <IconWorld size={14} /> : firstLetterOf(name)}
        </span>
        <span className={classes.app}>
          <Typed text={name} lines={1} />
        </span>
        <span>now</span>
      </div>
      <div className={classes.title}>
        <Typed text={title} lines={platform === 'ios' ? 2 : 1} />
      </div>
      <div className={classes.text}>
        <Typed text={body} lines={platform === 'ios' ? 4 : 3} />
      </div>
      {notification?.mediaUrl !== undefined && (
        <div className={classes.media}>
          Picture: <Typed text={notification.mediaUrl} lines={1} />
        </div>
      )}
      {actions.length > 0 && (
        <div className={classes.actions}>
          {actions.slice(0, 3).map(({ id, title: label }, n) => (
            <span key={n} className={classes.action}>
              <Typed text={label ?? id ?? ''} lines={1} />
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function hasTemplate({ content: text, alertText, notification }: MessageContentResponse): boolean {
  return /\{\{|\{%/.test(JSON.stringify([text, alertText, notification]));
}

/** The application, as much as this session may know: the operator sees its settings, others its id. */
export function useApplication(): {
  name: string;
  defaultAlertText: string | undefined;
  promoExhausted: ApplicationResponse['promoExhausted'] | undefined;
} {
  const appId = useAppId();
  const session = useSession();
  const found = useAdminRead('/api/admin/apps/{id}', {
    params: { path: { id: appId } },
    enabled: session.kind === 'operator',
  });
  const application = found.data;
  return {
    name: application?.name ?? appId,
    defaultAlertText: application?.defaultAlertText,
    promoExhausted: application?.promoExhausted,
  };
}
