import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CampaignDaysResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { formatCount, formatNoun, formatShare } from '../../components/format';
import { Moment } from '../../components/moment';
import { Sparkline } from '../../components/sparkline';
import { Stat, Stats } from '../../components/stat';

type Day = CampaignDaysResponse['days'][number];

const POLL_MS = { first: 1_000, later: 60_000 };
/** A rate of fewer days than these is no trend. */
const FEWEST_DAYS = 2;

/**
 * The results of the campaigns of the last 30 days, day by day; nothing if there was none, or before they are counted.
 */
export function CampaignTrend(): ReactNode {
  const { data } = useRead('/api/push/overview/campaigns', {
    pollMs: (known) => (known?.asOf == null ? POLL_MS.first : POLL_MS.later),
  });
  const days = data?.days ?? [];
  const sum = (of: (day: Day) => number): number => days.reduce((all, day) => all + of(day), 0);
  const campaigns = sum((day) => day.campaigns);
  if (campaigns === 0) return null;
  const devices = sum((day) => day.devices);
  return (
    <Box component="section" aria-label="The last 30 days" mb="lg">
      <Stats>
        <Stat
          label="Devices in 30 days"
          value={formatCount(devices)}
          hint={
            <Trend
              days={days}
              of={(day) => day.devices}
              words={`${formatNoun(campaigns, 'campaign')} to ${formatNoun(devices, 'device')} in 30 days, by the day`}
              note={formatNoun(campaigns, 'campaign')}
            />
          }
        />
        <Rate name="Opened" days={days} of={({ opened }) => opened} devices={devices} />
        <Rate name="Clicked" days={days} of={({ clicked }) => clicked} devices={devices} />
      </Stats>
      {data?.asOf != null && (
        <Text size="xs" c="dimmed" mt={4}>
          Counted <Moment at={data.asOf} />
        </Text>
      )}
    </Box>
  );
}

function Rate(props: { name: string; days: readonly Day[]; of: (day: Day) => number; devices: number }): ReactNode {
  const { name, days, of, devices } = props;
  const share = formatShare(
    days.reduce((all, day) => all + of(day), 0),
    devices,
  );
  return (
    <Stat
      label={`${name} in 30 days`}
      value={share}
      hint={
        <Trend
          days={days}
          of={(day) => (day.devices === 0 ? null : of(day) / day.devices)}
          words={`${name} by ${share} of the devices of 30 days; the rate of each day on which a campaign left`}
          note="of these devices"
        />
      }
    />
  );
}

interface TrendProps {
  days: readonly Day[];
  /** Null: there is nothing to say of the day. */
  of: (day: Day) => number | null;
  words: string;
  note: string;
}

/** Days without a value are left out: a campaign a week is a line too. */
function Trend({ days, of, words, note }: TrendProps): ReactNode {
  const values = days.map(of).filter((value) => value !== null);
  return (
    <>
      {note}
      {values.length >= FEWEST_DAYS && <Sparkline values={values} words={words} />}
    </>
  );
}
