import { Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { GroupDraft } from '../../model/segment-draft';
import { writeSegment } from '../../model/write-segment';
import { AudienceSize } from '../segments/audience-size';
import { SegmentBuilder } from '../segments/builder/segment-builder';
import { type AskedGroup, useGroupExplanation } from '../segments/group-measures';
import { useCompose } from './compose-context';

/** Recipients by rules, counted while they are written. */
export function RulesAudience(): ReactNode {
  const { draft, patch, marksAll, problemAt } = useCompose();
  const { audience, channel } = draft;
  const { segment } = audience;
  const [explains, setExplains] = useState(false);
  const written = useMemo(() => writeSegment(segment), [segment]);
  const group = useMemo<AskedGroup | null>(
    () => (written.segment === null ? null : { segment: written.segment, ...(channel === '' ? {} : { channel }) }),
    [written, channel],
  );
  const explained = useGroupExplanation(group, { isOn: explains });
  const change = useCallback(
    (next: GroupDraft) => patch({ audience: { ...audience, segment: next } }),
    [patch, audience],
  );
  const problem = problemAt('audience');
  return (
    <Stack gap="md">
      <SegmentBuilder
        segment={segment}
        written={written}
        marksAll={marksAll}
        effects={explains ? explained.data?.rules : undefined}
        onChange={change}
      />
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <AudienceSize group={group} waiting="Add a rule, and its devices are counted here." />
      {group !== null && (
        <Switch
          size="sm"
          label="Say what each rule does"
          checked={explains}
          onChange={({ currentTarget }) => setExplains(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
