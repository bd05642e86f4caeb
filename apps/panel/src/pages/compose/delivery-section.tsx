import { Group, NativeSelect, Radio, Select, Stack, Switch, Text, TextInput, Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { SendToUsersRequest } from '../../api/generated/limits';
import { SectionCard } from '../../components/section-card';
import {
  namesUsers,
  type Reach,
  scheduleKindOf,
  type ScheduleKind,
  takesRate,
  TTL_SECONDS,
  type TtlUnit,
} from '../../model/message-draft';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { TemplateField } from './template-field';

const REACHES: { value: Reach; label: string }[] = [
  { value: 'any', label: 'Best for each device' },
  { value: 'vendor', label: 'Vendor push only; not kept for the app' },
  { value: 'inApp', label: 'In the app only, now or when it opens' },
  { value: 'live', label: 'Only devices that have the app open now' },
];
const UNITS: TtlUnit[] = ['minutes', 'hours', 'days'];

/** When, how fast and in which way the message is sent. */
export function DeliverySection(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <SectionCard title="Delivery">
      <Stack gap="lg">
        <Schedule />
        <div className={classes.pair}>
          <Select
            label="Way"
            data={REACHES}
            value={draft.reach}
            allowDeselect={false}
            onChange={(reach) => patch({ reach: reach ?? 'any' })}
          />
          <TextInput
            label="Speed limit"
            description="Devices per second, to protect your servers"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder={takesRate(draft) ? 'As fast as possible' : 'No push is sent'}
            disabled={!takesRate(draft)}
            inputMode="numeric"
            value={draft.rate}
            error={problemAt('rate')}
            onChange={({ currentTarget }) => patch({ rate: currentTarget.value })}
          />
        </div>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Valid for"
            description="Devices that cannot be reached within this time get nothing."
            placeholder={`${SendToUsersRequest.ttl.maximum / TTL_SECONDS.days} days`}
            inputMode="decimal"
            flex="1 1 auto"
            value={draft.ttl.amount}
            error={problemAt('ttl')}
            onChange={({ currentTarget }) => patch({ ttl: { ...draft.ttl, amount: currentTarget.value } })}
          />
          <NativeSelect
            aria-label="Unit of time"
            miw="6.5rem"
            flex="none"
            data={UNITS}
            value={draft.ttl.unit}
            onChange={({ currentTarget }) => patch({ ttl: { ...draft.ttl, unit: currentTarget.value as TtlUnit } })}
          />
        </Group>
        <Switch
          label="Send during quiet hours"
          description="For urgent messages."
          checked={draft.ignoreQuietHours}
          onChange={({ currentTarget }) => patch({ ignoreQuietHours: currentTarget.checked })}
        />
        <CapSwitch />
        <FallbackFields />
      </Stack>
    </SectionCard>
  );
}

const KINDS: { value: ScheduleKind; label: string }[] = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'At a time' },
  { value: 'each', label: 'At each device’s own time' },
];

function Schedule(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { at } = draft.schedule;
  const kind = scheduleKindOf(draft);
  const kinds = KINDS.filter(({ value }) => value !== 'each' || !namesUsers(draft));
  if (draft.reach === 'live') {
    return (
      <Text size="sm" c="dimmed">
        The message is sent at once, to devices that have the app open now.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Radio.Group label="When to send" value={kind} onChange={(value) => patch({ schedule: { kind: value, at } })}>
        <Group gap="lg" mt={6}>
          {kinds.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {kind !== 'now' && (
        <TextInput
          type="datetime-local"
          label={kind === 'at' ? 'Day and time' : 'Local day and time'}
          description={
            kind === 'at'
              ? `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
              : 'Each device gets the message at this local time. If that time is already over, it gets it a day later.'
          }
          className={classes.narrow}
          value={at}
          error={problemAt('schedule')}
          onChange={({ currentTarget }) => patch({ schedule: { kind, at: currentTarget.value } })}
        />
      )}
    </Stack>
  );
}

/** Campaigns obey the frequency caps unless they ignore them, messages to named users only if they say so. */
function CapSwitch(): ReactNode {
  const { draft, patch } = useCompose();
  return namesUsers(draft) ? (
    <Switch
      label="Counts for frequency caps"
      description="For advertising: it counts like a campaign, and users who have had enough campaigns do not get it."
      checked={draft.countsTowardsCap}
      onChange={({ currentTarget }) => patch({ countsTowardsCap: currentTarget.checked })}
    />
  ) : (
    <Switch
      label="Ignore frequency caps"
      description="For what must arrive: users who have had enough campaigns get it too. It counts for them."
      checked={draft.ignoreFrequencyCap}
      onChange={({ currentTarget }) => patch({ ignoreFrequencyCap: currentTarget.checked })}
    />
  );
}

/** The SMS to users none of whose devices confirmed the message in time. */
function FallbackFields(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { fallback } = draft;
  const change = (changes: Partial<typeof fallback>): void => patch({ fallback: { ...fallback, ...changes } });
  if (!namesUsers(draft)) {
    return (
      <Text size="sm" c="dimmed">
        A fallback SMS is available for named users only.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Switch
        label="Fallback SMS"
        description="A user gets one SMS if none of their devices confirms the message in time."
        checked={fallback.isOn}
        onChange={({ currentTarget }) => change({ isOn: currentTarget.checked })}
      />
      {fallback.isOn && (
        <div className={classes.inset}>
          <TemplateField
            label="Text of the SMS"
            isLong
            isRequired
            value={fallback.content}
            error={problemAt('fallback.content')}
            onChange={(content) => change({ content })}
          />
          <TextInput
            label="Delay in seconds"
            inputMode="numeric"
            className={classes.narrow}
            value={fallback.delay}
            error={problemAt('fallback.delay')}
            onChange={({ currentTarget }) => change({ delay: currentTarget.value })}
          />
          <Checkbox
            label="Require that the notification was shown, not only delivered"
            checked={fallback.onlyShown}
            onChange={({ currentTarget }) => change({ onlyShown: currentTarget.checked })}
          />
        </div>
      )}
    </Stack>
  );
}
