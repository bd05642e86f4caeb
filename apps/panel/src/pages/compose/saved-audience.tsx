import { Anchor, Select, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { SegmentsResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { ErrorNotice } from '../../components/error-notice';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import { saySegment } from '../../model/say-segment';
import { type AskedGroup, AudienceSize } from '../segments/audience-size';
import { useCompose } from './compose-context';

/** The segments to choose from, the newest first. */
function useSavedSegments(): UseQueryResult<SegmentsResponse> {
  return useRead('/api/segments', { params: { query: { limit: 200 } } });
}

/** A saved segment in words: its name and its rules, if they are known. */
export function SavedSegmentName({ id }: { id: string }): ReactNode {
  const chosen = useSavedSegments().data?.segments.find((segment) => segment.id === id);
  if (chosen === undefined) return 'The devices of a saved segment';
  return (
    <>
      The segment “<Typed text={chosen.name} />
      ”: <Typed text={saySegment(readRules(chosen))} lines={4} />
    </>
  );
}

/** Recipients by a segment that was saved: its rules as they stand when the message is accepted. */
export function SavedAudience(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { segmentId } = draft.audience;
  const found = useSavedSegments();
  const segments = found.data?.segments ?? [];
  const chosen = segments.find(({ id }) => id === segmentId);
  const group = useMemo<AskedGroup | null>(
    () =>
      segmentId === ''
        ? null
        : { segment: { id: segmentId }, ...(draft.channel === '' ? {} : { channel: draft.channel }) },
    [segmentId, draft.channel],
  );
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data && segments.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No segment is saved yet.{' '}
        <Anchor component={Link} href="/segments/new" inherit>
          Save the first one
        </Anchor>
        , or choose recipients by rules here.
      </Text>
    );
  }
  return (
    <Stack gap="md">
      <Select
        label="Segment"
        placeholder="Choose a saved segment"
        searchable
        nothingFoundMessage="No saved segment has this name"
        data={segments.map(({ id, name }) => ({ value: id, label: name }))}
        value={segmentId === '' ? null : segmentId}
        error={problemAt('audience')}
        onChange={(id) => patch({ audience: { ...draft.audience, segmentId: id ?? '' } })}
      />
      {chosen && (
        <Text size="sm" c="dimmed">
          <Typed text={saySegment(readRules(chosen))} lines={4} />{' '}
          <Anchor component={Link} href={`/segments/${chosen.id}`} inherit>
            Open it
          </Anchor>
        </Text>
      )}
      <AudienceSize group={group} waiting="Choose a segment to see the number of devices." />
    </Stack>
  );
}
