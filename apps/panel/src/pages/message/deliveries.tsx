import { Button, Select, Text, TextInput } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import type { DeliveryResponse, MessageResponse } from '@postrider/server/document';
import { useQueryParam } from '../../api/address';
import { applicationUrl, useAppId } from '../../api/client';
import { type CursorList, useCursorList, useRead } from '../../api/reading';
import { momentColumn, type Column, DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount, formatNoun, platformName } from '../../components/format';
import { IconDeviceMobile, IconDownload, IconSearch, IconUsers } from '../../components/icons';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './message-page.module.css';
import { isUnderWay, markOf } from './totals';
import { vendorName, whyOf } from './words';
import { Link } from 'wouter';
import { ErrorNotice } from '../../components/error-notice';

const COLUMNS: readonly Column<DeliveryResponse>[] = [
  {
    key: 'user',
    header: 'User and device',
    width: 'minmax(0, 1.3fr)',
    render: ({ userId, installationId }) => (
      <>
        {userId === null ? 'Device was removed' : <Typed text={userId} lines={1} />}
        {installationId !== null && <Typed text={installationId} isMono lines={1} />}
      </>
    ),
  },
  { key: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'why',
    header: 'Why',
    width: 'minmax(0, 1.8fr)',
    render: (delivery) => <Typed text={whyOf(delivery)} lines={2} />,
  },
  {
    key: 'vendor',
    header: 'Vendor',
    width: '8.5rem',
    isHiddenOnPhone: true,
    render: ({ vendor }) => (vendor === null ? '–' : vendorName(vendor)),
  },
  momentColumn('Changed', ({ updatedAt }) => updatedAt, { isHiddenOnPhone: true }),
];

/** Only messages with languages have it. */
const LANGUAGE: Column<DeliveryResponse> = {
  key: 'language',
  header: 'Language',
  width: '6.5rem',
  isHiddenOnPhone: true,
  render: ({ language }) => (language === null ? '–' : <Typed text={language} isMono lines={1} />),
};

/** Only messages with variants have it. */
const VARIANT: Column<DeliveryResponse> = {
  key: 'variant',
  header: 'Variant',
  width: '6.5rem',
  isHiddenOnPhone: true,
  render: ({ variant }) => (variant === null ? '–' : <Typed text={variant} lines={1} />),
};

/** The languages that a message has words of its own for, or a variant of it. */
function languagesOf({ content }: MessageResponse): string[] {
  const all = [content, ...(content.variants ?? [])].flatMap(({ localized }) => Object.keys(localized ?? {}));
  return [...new Set(all)];
}

function columnsOf(message: MessageResponse): readonly Column<DeliveryResponse>[] {
  const { content } = message;
  const further = [
    ...(languagesOf(message).length === 0 ? [] : [LANGUAGE]),
    ...(content.variants === undefined ? [] : [VARIANT]),
  ];
  return [...COLUMNS.slice(0, -1), ...further, ...COLUMNS.slice(-1)];
}

/** Every device of a message, by state; and, looked up by user, why a device got nothing. */
export function Deliveries(props: {
  message: MessageResponse;
  kind: 'messages' | 'campaigns';
  state: DeliveryState | null;
  onState: (state: DeliveryState | null) => void;
}): ReactNode {
  const { message, kind, state, onState } = props;
  const [asked, setAsked] = useQueryParam('user');
  const [userId, setUserId] = useState(asked);
  const [languageParam, setLanguage] = useQueryParam('language');
  const language = languageParam === '' ? null : languageParam;
  const appId = useAppId();
  const narrowed = { state: state ?? undefined, language: language ?? undefined };
  return (
    <>
      <div className={classes.toolbar}>
        <Select
          label="State"
          placeholder="All states"
          data={DELIVERY_STATES.map((name) => ({
            value: name,
            label: `${name} (${formatCount(message.totals[name])})`,
          }))}
          value={state}
          onChange={(value) => onState(DELIVERY_STATES.find((name) => name === value) ?? null)}
          clearable
          disabled={asked !== ''}
          clearButtonProps={{ 'aria-label': 'Show all states' }}
        />
        <LanguageChoice
          message={message}
          language={language}
          isDisabled={asked !== ''}
          onChange={(chosen) => setLanguage(chosen ?? '')}
        />
        <form
          className={classes.toolbar}
          style={{ padding: 0 }}
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(userId.trim());
          }}
        >
          <TextInput
            label="Find a user"
            placeholder="User id, exactly"
            value={userId}
            onChange={({ currentTarget }) => {
              setUserId(currentTarget.value);
              if (currentTarget.value === '') setAsked('');
            }}
          />
          <Button type="submit" variant="default" leftSection={<IconSearch size={16} aria-hidden />}>
            Find
          </Button>
        </form>
        {asked === '' && (
          <Button
            component="a"
            href={applicationUrl(appId, '/api/push/messages/{id}/deliveries/export', {
              path: { id: message.id },
              query: narrowed,
            })}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Export as CSV
          </Button>
        )}
      </div>
      {asked === '' ? (
        <List message={message} kind={kind} state={state} language={language} />
      ) : (
        <UserDevices messageId={message.id} kind={kind} userId={asked} />
      )}
    </>
  );
}

/** Which language is looked at, of a message that has several. */
function LanguageChoice(props: {
  message: MessageResponse;
  language: string | null;
  isDisabled: boolean;
  onChange: (language: string | null) => void;
}): ReactNode {
  const { message, language, isDisabled, onChange } = props;
  const languages = languagesOf(message);
  if (languages.length === 0) return null;
  return (
    <Select
      label="Language"
      placeholder="All languages"
      data={[{ value: 'default', label: 'Default' }, ...languages.map((tag) => ({ value: tag, label: tag }))]}
      value={language}
      onChange={onChange}
      clearable
      disabled={isDisabled}
      clearButtonProps={{ 'aria-label': 'Show all languages' }}
    />
  );
}

function List(props: {
  message: MessageResponse;
  kind: 'messages' | 'campaigns';
  state: DeliveryState | null;
  language: string | null;
}): ReactNode {
  const { message, kind, state, language } = props;
  const list = useCursorList('/api/push/messages/{id}/deliveries', 'deliveries', {
    params: { path: { id: message.id }, query: { state: state ?? undefined, language: language ?? undefined } },
    pollMs: message.status === 'done' ? 15_000 : 3_000,
    follows: markOf(message),
  });
  return (
    <>
      <DataTable
        label="Devices"
        columns={columnsOf(message)}
        list={list}
        rowKey={({ installationId, createdAt, userId }) => installationId ?? `${createdAt} ${userId ?? ''}`}
        // Of a device that was removed only this row is known.
        rowHref={({ installationId }) =>
          installationId === null ? undefined : `/${kind}/${message.id}/devices/${installationId}`
        }
        empty={<NoDevice message={message} state={state} language={language} />}
      />
      {language === null && <Erased message={message} state={state} list={list} />}
    </>
  );
}

/**
 * How many devices are counted and not listed: those of erased users. It is known at the end of the list of a message
 * that has ended.
 */
function Erased(props: {
  message: MessageResponse;
  state: DeliveryState | null;
  list: CursorList<DeliveryResponse>;
}): ReactNode {
  const { message, state, list } = props;
  const { totals, recipients } = message;
  const listed = list.items.length;
  const erased = (state === null ? recipients : totals[state]) - listed;
  const isKnown = !isUnderWay(message) && totals.pending === 0 && listed > 0 && !list.hasMore && !list.isLoadingMore;
  if (!isKnown || erased <= 0) return null;
  return (
    <Text size="sm" c="dimmed" className={classes.erased}>
      {formatNoun(erased, 'device')} of erased users {erased === 1 ? 'is' : 'are'} counted in the totals and not listed
      here.
    </Text>
  );
}

/** Why no device is listed. */
function NoDevice(props: {
  message: MessageResponse;
  state: DeliveryState | null;
  language: string | null;
}): ReactNode {
  const { message, state, language } = props;
  const { totals } = message;
  if (totals.pending > 0 && (state === null || state === 'pending')) {
    return (
      <EmptyState icon={IconDeviceMobile} title="No device yet">
        {formatNoun(totals.pending, 'device')} {totals.pending === 1 ? 'waits' : 'wait'}. A device is listed here as
        soon as something is known of it.
      </EmptyState>
    );
  }
  if (language !== null) {
    return (
      <EmptyState icon={IconDeviceMobile} title="No device got it in this language">
        Choose another language{state === null ? '' : ' or another state'}.
      </EmptyState>
    );
  }
  if ((state === null ? message.recipients : totals[state]) > 0) {
    return (
      <EmptyState icon={IconDeviceMobile} title="These devices are no longer known">
        They were removed, or their users were erased. The totals still count them.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconDeviceMobile} title={state === null ? 'No device' : `No device is ${state}`}>
      {state === null ? 'The audience of this message had no reachable device.' : 'Choose another state.'}
    </EmptyState>
  );
}

/** The results of a message on each device of one user, including devices that it was not sent to. */
function UserDevices(props: { messageId: string; kind: 'messages' | 'campaigns'; userId: string }): ReactNode {
  const { messageId, kind, userId } = props;
  const found = useRead('/api/push/messages/{id}/devices', {
    params: { path: { id: messageId }, query: { userId } },
  });
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => found.refetch()} />;
  if (!found.data) return <div className={classes.userDevices} aria-busy />;
  const { devices } = found.data;
  if (devices.length === 0) {
    return (
      <EmptyState icon={IconUsers} title="This user has no device">
        No device is registered for <Typed text={userId} /> now. If the user was erased, or their devices were removed,
        nothing is known of them any more. Upper and lower case matter.
      </EmptyState>
    );
  }
  return (
    <ul className={classes.userDevices}>
      {devices.map(({ installation, delivery, reason }) => (
        <li key={installation.id} className={classes.device}>
          <div className={classes.deviceWords}>
            <Link href={`/${kind}/${messageId}/devices/${installation.id}`} className={classes.deviceName}>
              <Typed text={platformName(installation.deviceType ?? 'device')} />{' '}
              <Typed text={installation.id} isMono lines={1} />
            </Link>
            <Typed text={delivery ? whyOf(delivery) || '' : (reason ?? '')} />
          </div>
          {delivery ? <StateBadge state={delivery.state} /> : <StateBadge state="none" label="not a recipient" />}
        </li>
      ))}
    </ul>
  );
}
