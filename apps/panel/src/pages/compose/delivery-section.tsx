import { Group, NativeSelect, Radio, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
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
import { FallbackFields } from './fallback-fields';

const REACHES: { value: Reach; label: string }[] = [
  { value: 'any', label: 'The best way each device has' },
  { value: 'vendor', label: 'Push of its vendor only, never held for the app' },
  { value: 'inApp', label: 'In the app only, now or when it opens' },
  { value: 'live', label: 'Only who has the app open right now' },
];
const UNITS: TtlUnit[] = ['minutes', 'hours', 'days'];

/** When, how fast and in which way the message goes out. */
export function DeliverySection(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <SectionCard title="When and how">
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
            description="Devices a second, for servers that need time"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder={takesRate(draft) ? 'As fast as possible' : 'Nothing is pushed'}
            disabled={!takesRate(draft)}
            inputMode="numeric"
            value={draft.rate}
            error={problemAt('rate')}
            onChange={({ currentTarget }) => patch({ rate: currentTarget.value })}
          />
        </div>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Worth sending for"
            description="Who cannot be reached within this time gets nothing."
            placeholder={`${SendToUsersRequest.ttl.maximum / TTL_SECONDS.days} days`}
            inputMode="decimal"
            flex="1 1 auto"
            value={draft.ttl.amount}
            error={problemAt('ttl')}
            onChange={({ currentTarget }) => patch({ ttl: { ...draft.ttl, amount: currentTarget.value } })}
          />
          <NativeSelect
            aria-label="Unit of the time"
            miw="6.5rem"
            flex="none"
            data={UNITS}
            value={draft.ttl.unit}
            onChange={({ currentTarget }) => patch({ ttl: { ...draft.ttl, unit: currentTarget.value as TtlUnit } })}
          />
        </Group>
        <Switch
          label="Send in quiet hours too"
          description="For messages that cannot wait until the morning."
          checked={draft.ignoreQuietHours}
          onChange={({ currentTarget }) => patch({ ignoreQuietHours: currentTarget.checked })}
        />
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
        It goes out at once: it is for who has the app open at this moment.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Radio.Group label="Send it" value={kind} onChange={(value) => patch({ schedule: { kind: value, at } })}>
        <Group gap="lg" mt={6}>
          {kinds.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {kind !== 'now' && (
        <TextInput
          type="datetime-local"
          label={kind === 'at' ? 'Day and time' : 'Day and time on the device’s clock'}
          description={
            kind === 'at'
              ? `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
              : 'Each device gets it when its own clock shows this time; where that is over, a day later.'
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
