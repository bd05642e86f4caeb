import { Autocomplete, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { formatCompact } from '../../components/format';
import { useCompose } from './compose-context';

/** The channel that the message goes out on: only its members get it. */
export function ChannelPicker(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const mayRead = useCan('read');
  const found = useRead('/api/channels', { params: { query: { limit: 200 } }, enabled: mayRead });
  const joined = (found.data?.channels ?? []).filter(({ isEverybody }) => !isEverybody);
  const sizes = new Map<string, number>(joined.map(({ channel, size }) => [channel, size]));
  return (
    <Autocomplete
      label="Channel"
      description="Leave it empty to reach everybody. With a channel, whoever is not in it is left out."
      placeholder="Everybody"
      data={joined.map(({ channel }) => channel)}
      limit={50}
      value={draft.channel}
      error={problemAt('channel')}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>{option.value}</span>
          <Text size="xs" c="dimmed">
            {formatCompact(sizes.get(option.value) ?? 0)} devices
          </Text>
        </Group>
      )}
      onChange={(channel) => patch({ channel })}
    />
  );
}
