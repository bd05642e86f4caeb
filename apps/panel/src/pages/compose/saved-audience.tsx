import { Anchor, Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { SegmentResponse } from '@postrider/server/document';
import { useCursorList, useRead } from '../../api/reading';
import { ErrorNotice } from '../../components/error-notice';
import { nameQuery } from '../../components/name-search';
import { NamedSelect } from '../../components/named-select';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import { saySegment } from '../../model/say-segment';
import { type AskedGroup, AudienceSize } from '../segments/audience-size';
import { useCompose } from './compose-context';

/** The segment with this id; undefined: none is chosen, or it is not read yet. */
function useSavedSegment(id: string): SegmentResponse | undefined {
  return useRead('/api/segments/{id}', { params: { path: { id } }, enabled: id !== '' }).data;
}

/** A saved segment in words: its name and its rules, if they are known. */
export function SavedSegmentName({ id }: { id: string }): ReactNode {
  const chosen = useSavedSegment(id);
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
  const [part, setPart] = useState('');
  const found = useCursorList('/api/segments', 'segments', { params: { query: nameQuery(part) } });
  const chosen = useSavedSegment(segmentId);
  const group = useMemo<AskedGroup | null>(
    () =>
      segmentId === ''
        ? null
        : { segment: { id: segmentId }, ...(draft.channel === '' ? {} : { channel: draft.channel }) },
    [segmentId, draft.channel],
  );
  if (found.error) return <ErrorNotice error={found.error} onRetry={found.refresh} />;
  if (!found.isLoading && found.items.length === 0 && part === '' && segmentId === '') {
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
      <NamedSelect
        label="Segment"
        placeholder="Choose one, or type a part of its name"
        noun="segment"
        found={found}
        chosen={chosen ?? null}
        error={problemAt('audience')}
        onSearch={setPart}
        onChange={(segment) => patch({ audience: { ...draft.audience, segmentId: segment?.id ?? '' } })}
      />
      {segmentId === '' && (
        <Text size="sm" c="dimmed">
          Not there?{' '}
          <Anchor component={Link} href="/segments/new" inherit>
            Make a new segment
          </Anchor>
          . The message stays here meanwhile.
        </Text>
      )}
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
