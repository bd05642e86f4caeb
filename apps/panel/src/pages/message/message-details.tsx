import { Button, Group, Progress } from '@mantine/core';
import type { DeliveryState } from '@postrider/domain';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { MessageResponse } from '../../api/generated/document';
import { useCan } from '../../api/session';
import { formatCount, formatNoun, formatShare } from '../../components/format';
import { IconCopy } from '../../components/icons';
import { JsonView } from '../../components/json-view';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import { useApplication } from './application-name';
import { CancelButton } from './cancel-button';
import { Deliveries } from './deliveries';
import { Engagement } from './engagement';
import { ErrorTotals } from './error-totals';
import { FallbackTotals } from './fallback-totals';
import { Funnel } from './funnel';
import { MessageFacts } from './message-facts';
import classes from './message-page.module.css';
import { headlineOf } from './message-text';
import { NotificationPreview } from './notification-preview';
import { StateTotals } from './state-totals';
import { isUnderWay, progressOf } from './totals';
import { VendorTotals } from './vendor-totals';

/** One message and what became of it: what it says, how far it came, what went wrong, and every device of it. */
export function MessageDetails(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  back: { href: string; label: string };
}): ReactNode {
  const { kind, message, back } = props;
  const [state, setState] = useState<DeliveryState | null>(null);
  const devices = useRef<HTMLDivElement>(null);
  const showState = (chosen: DeliveryState): void => {
    setState(chosen);
    devices.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <Header kind={kind} message={message} back={back} />
      <div className={classes.columns}>
        <div className={classes.column}>
          {isUnderWay(message) && <Running message={message} />}
          <SectionCard title="How far it came">
            <Funnel message={message} />
          </SectionCard>
          <Engagement kind={kind} message={message} />
          <Totals message={message} onState={showState} />
        </div>
        <Sent message={message} />
      </div>
      <div ref={devices} style={{ marginTop: 'var(--mantine-spacing-lg)' }}>
        <SectionCard title="Devices" description="Each device, its state, and why." isFlush>
          <Deliveries message={message} kind={kind} state={state} onState={setState} />
        </SectionCard>
      </div>
    </>
  );
}

function Header(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  back: { href: string; label: string };
}): ReactNode {
  const { kind, message, back } = props;
  const maySend = useCan('send');
  const headline = headlineOf(message.content);
  return (
    <PageHeader
      title={<Typed text={headline} lines={3} />}
      documentTitle={headline.slice(0, 60)}
      back={back}
      description={
        <span className={classes.facts}>
          <StateBadge state={message.status} />
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
          {isUnderWay(message) && <CancelButton kind={kind} message={message} />}
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
      <div className={classes.progressWords} aria-live="polite">
        <strong>{message.status === 'accepted' ? 'Accepted; nothing was sent yet' : 'On its way'}</strong>
        <span>
          {formatCount(finished)} of {formatCount(recipients)} · {formatShare(finished, recipients)}
        </span>
      </div>
      <Progress value={progressOf(message) * 100} aria-label="Devices with an outcome" radius="xl" />
    </div>
  );
}

function Totals(props: { message: MessageResponse; onState: (state: DeliveryState) => void }): ReactNode {
  const { message, onState } = props;
  return (
    <>
      <SectionCard title="Totals" description="Every recipient is in exactly one state.">
        <StateTotals message={message} onState={onState} />
      </SectionCard>
      {Object.keys(message.byVendor).length > 0 && (
        <SectionCard title="By vendor">
          <VendorTotals byVendor={message.byVendor} />
        </SectionCard>
      )}
      {Object.keys(message.errors).length > 0 && (
        <SectionCard title="Errors" description="What vendors answered, in words.">
          <ErrorTotals errors={message.errors} />
        </SectionCard>
      )}
      {Object.keys(message.fallback).length > 0 && (
        <SectionCard title="SMS in its place" description="One for each user none of whose devices confirmed.">
          <FallbackTotals fallback={message.fallback} />
        </SectionCard>
      )}
    </>
  );
}

function Sent({ message }: { message: MessageResponse }): ReactNode {
  const { name, defaultAlertText } = useApplication();
  const audience = message.segment ?? message.target;
  return (
    <div className={classes.column}>
      <SectionCard title="On the device">
        <NotificationPreview content={message.content} applicationName={name} defaultAlert={defaultAlertText} />
      </SectionCard>
      <SectionCard title="Details">
        <MessageFacts message={message} />
      </SectionCard>
      <SectionCard title="As it was sent">
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
