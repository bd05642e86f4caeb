import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { SectionCard } from '../../components/section-card';
import type { AudienceKind } from '../../model/message-draft';
import { ChannelPicker } from './channel-picker';
import { useCompose } from './compose-context';
import { FileAudience } from './file-audience';
import { RulesAudience } from './rules-audience';
import { SavedAudience } from './saved-audience';
import { UsersAudience } from './users-audience';

const KINDS: { value: AudienceKind; label: string }[] = [
  { value: 'segment', label: 'Rules' },
  { value: 'saved', label: 'Saved segment' },
  { value: 'users', label: 'Users' },
  { value: 'file', label: 'File of ids' },
  { value: 'everyone', label: 'Everyone' },
];

/** Whom the message goes to. */
export function AudienceSection(): ReactNode {
  const { draft, patch } = useCompose();
  const isNarrow = useMediaQuery('(max-width: 61.99em)');
  const { kind } = draft.audience;
  return (
    <SectionCard title="Who gets it">
      <Stack gap="lg">
        <SegmentedControl
          fullWidth
          aria-label="How recipients are chosen"
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          data={KINDS}
          value={kind}
          onChange={(value) => patch({ audience: { ...draft.audience, kind: value } })}
        />
        {kind === 'segment' && <RulesAudience />}
        {kind === 'saved' && <SavedAudience />}
        {kind === 'users' && <UsersAudience />}
        {kind === 'file' && <FileAudience />}
        {kind === 'everyone' && (
          <Text size="sm">Every member of the channel. Without a channel: every device of this application.</Text>
        )}
        <ChannelPicker />
      </Stack>
    </SectionCard>
  );
}
