import { Button, Group, Progress } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { MessageResponse } from '@postrider/server/document';
import { useQueryParam } from '../../api/address';
import { useCan } from '../../api/session';
import { formatCount, formatNoun, formatShare } from '../../components/format';
import { IconCopy, IconPlayerStop } from '../../components/icons';
import { JsonView, Typed } from '../../components/typed';
import { Moment, useNow } from '../../components/moment';
import { isScheduled } from '../../model/scheduled-message';
import { ScheduledCard } from './scheduled-card';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { OnTheDevice } from './on-the-device';
import { Deliveries } from './deliveries';
import { Engagement } from './engagement';
import { FallbackTotals, Funnel, StateTotals, VendorTotals } from './message-totals';
import { MessageFacts } from './message-facts';
import { TestCard } from './test-card';
import classes from './message-page.module.css';
import { headlineOf } from './message-cell';
import { SkippedTotals } from './skipped-totals';
import { errorsOf, isUnderWay, progressOf, unsentOf } from './totals';
import { useQueryClient } from '@tanstack/react-query';
import { useApi, useAppId, keyOf } from '../../api/client';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CHANGE_NOTHING, errorInWords } from './words';

const SECOND_MS = 1_000;

/** One message and its results: its content, how far it came, the errors, and every device. */
export function MessageDetails(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  back: { href: string; label: string };
}): ReactNode {
  const { kind, message, back } = props;
  // The address has it: whoever comes back from a device finds the same devices.
  const [stateParam, setState] = useQueryParam('state');
  const state = DELIVERY_STATES.find((known) => known === stateParam) ?? null;
  const devices = useRef<HTMLDivElement>(null);
  const isWaiting = isScheduled(message, useNow(SECOND_MS));
  const showState = (chosen: DeliveryState): void => {
    setState(chosen);
    devices.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <Header kind={kind} message={message} isWaiting={isWaiting} back={back} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <ScheduledCard kind={kind} message={message} isWaiting={isWaiting} />
          {!isWaiting && isUnderWay(message) && <Running message={message} />}
          {!isWaiting && (
            <SectionCard
              title="Progress"
              description={`Shares are of the ${formatNoun(message.count, 'device')} that could be reached when it was accepted.`}
            >
              <Funnel message={message} />
            </SectionCard>
          )}
          {message.test !== undefined && <TestCard kind={kind} message={message} test={message.test} />}
          <Engagement kind={kind} message={message} />
          <Totals message={message} isWaiting={isWaiting} onState={showState} />
        </div>
        <Sent message={message} isWaiting={isWaiting} />
      </div>
      <div ref={devices} style={{ marginTop: 'var(--mantine-spacing-lg)' }}>
        <SectionCard
          title="Devices"
          description="Each device with its state and the reason. Devices of erased users are in the totals only."
          isFlush
        >
          <Deliveries message={message} kind={kind} state={state} onState={(chosen) => setState(chosen ?? '')} />
        </SectionCard>
      </div>
    </>
  );
}

function Header(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  isWaiting: boolean;
  back: { href: string; label: string };
}): ReactNode {
  const { kind, message, isWaiting, back } = props;
  const maySend = useCan('send');
  const headline = headlineOf(message.content);
  return (
    <PageHeader
      title={<Typed text={headline} lines={3} />}
      documentTitle={headline.slice(0, 60)}
      back={back}
      description={
        <span className={classes.facts}>
          <StateBadge state={isWaiting ? 'scheduled' : message.status} />
          <span>{formatNoun(message.count, 'device')}</span>
          <span>
            accepted <Moment at={message.acceptedAt} />
          </span>
          {message.trackId !== null && <Typed text={message.trackId} isMono />}
        </span>
      }
      actions={
        <Group gap="sm">
          {maySend && (
            <Button
              component={Link}
              href={`/compose?copy=${message.id}`}
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
            >
              Send again
            </Button>
          )}
          {isUnderWay(message) && <CancelButton kind={kind} message={message} isWaiting={isWaiting} />}
        </Group>
      }
    />
  );
}

function Running({ message }: { message: MessageResponse }): ReactNode {
  const { recipients, totals } = message;
  const finished = recipients - totals.pending;
  return (
    <div className={`card ${classes.progress ?? ''}`}>
      <div className={classes.progressWords}>
        {/* The numbers change every few seconds: screen readers read them when they are asked to. */}
        <strong role="status">{message.status === 'accepted' ? 'Accepted. Nothing was sent yet' : 'On its way'}</strong>
        <span>
          {formatCount(finished)} of {formatCount(recipients)} · {formatShare(finished, recipients)}
        </span>
      </div>
      <Progress value={progressOf(message) * 100} aria-label="Devices with an outcome" radius="xl" />
    </div>
  );
}

/** What became of the devices. While a message waits for its time, that is only what it will not be sent to. */
function Totals(props: {
  message: MessageResponse;
  isWaiting: boolean;
  onState: (state: DeliveryState) => void;
}): ReactNode {
  const { message, isWaiting, onState } = props;
  const errors = errorsOf(message);
  const unsent = unsentOf(message);
  return (
    <>
      {!isWaiting && (
        <SectionCard
          title="Totals"
          description={`Every recipient is in exactly one state. Shares are of the ${formatNoun(message.count, 'device')} that could be reached when it was accepted. Skipped devices have none.`}
        >
          <StateTotals message={message} onState={onState} />
        </SectionCard>
      )}
      {!isWaiting && Object.keys(message.byVendor).length > 0 && (
        <SectionCard title="By vendor">
          <VendorTotals message={message} />
        </SectionCard>
      )}
      {Object.keys(unsent.reasons).length > 0 && (
        <SectionCard title="Not sent, and why" description="Devices that the message was not sent to.">
          <SkippedTotals skipped={unsent.reasons} byVendor={unsent.byVendor} />
        </SectionCard>
      )}
      {Object.keys(errors).length > 0 && (
        <SectionCard title="Errors" description="What went wrong on devices that were to get the message.">
          <ErrorTotals errors={errors} />
        </SectionCard>
      )}
      {Object.keys(message.fallback).length > 0 && (
        <SectionCard
          title="Fallback SMS"
          description="One SMS for each user whose devices did not confirm the message."
        >
          <FallbackTotals fallback={message.fallback} />
        </SectionCard>
      )}
    </>
  );
}

function Sent({ message, isWaiting }: { message: MessageResponse; isWaiting: boolean }): ReactNode {
  const audience = message.segment ?? message.target;
  return (
    <div className={classes.column}>
      <OnTheDevice content={message.content} />
      <SectionCard title="Details">
        <MessageFacts message={message} />
      </SectionCard>
      <SectionCard title={isWaiting ? 'The message as it will be sent' : 'The message as it was sent'}>
        {audience !== undefined && (
          <details className={classes.raw}>
            <summary>Audience</summary>
            <JsonView value={{ target: message.target, segment: message.segment }} label="the audience" />
          </details>
        )}
        <details className={classes.raw}>
          <summary>Content</summary>
          <JsonView value={message.content} label="the message" />
        </details>
      </SectionCard>
    </div>
  );
}

/** Stops the part that is not sent yet, after a question. */
function CancelButton(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  isWaiting: boolean;
}): ReactNode {
  const { kind, message, isWaiting } = props;
  const [isAsking, setAsking] = useState(false);
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const cancel = async (): Promise<void> => {
    const params = { path: { id: message.id } };
    await api.POST('/api/push/messages/{id}/cancel', { params });
    await client.invalidateQueries({ queryKey: keyOf(appId, `/api/push/${kind}/{id}`, params) });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/push/messages/{id}/deliveries', params) });
  };
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Cancel
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={kind === 'campaigns' ? 'Cancel this campaign?' : 'Cancel this message?'}
        confirmLabel={isWaiting ? 'Do not send it' : 'Stop sending'}
        keepLabel={CHANGE_NOTHING}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      >
        {isWaiting ? (
          <>Nothing of it was sent yet, and nobody gets it. This cannot be undone.</>
        ) : (
          <>
            It is not sent to the {formatNoun(message.totals.pending, 'device')} that still{' '}
            {message.totals.pending === 1 ? 'waits' : 'wait'}. Messages that were sent stay on the devices. This cannot
            be undone.
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

/** The errors of a message, the most frequent first: the code, its meaning, and the count. */
function ErrorTotals({ errors }: { errors: Record<string, number> }): ReactNode {
  const sorted = Object.entries(errors).sort(([, one], [, other]) => other - one);
  return (
    <ul className={classes.errors}>
      {sorted.map(([code, count]) => (
        <li key={code} className={classes.error}>
          <span>
            <Typed text={code} isMono />
            <span className={classes.meaning}>
              {errorInWords(code) ?? 'See the vendor’s answers in the list of devices.'}
            </span>
          </span>
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
    </ul>
  );
}
