import { Alert, Checkbox, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInfoCircle } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { ActionsEditor } from './actions-editor';
import { useCompose } from './compose-context';
import { TemplateField } from './template-field';

/** What the message says, and where it leads. */
export function ContentSection(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <SectionCard title="What it says">
      <Stack gap="md">
        {draft.silent ? (
          <Alert color="sky" variant="light" icon={<IconInfoCircle aria-hidden />}>
            Silent: nothing is shown. The app gets the text and the data. Switch it off under “More options” to show a
            notification.
          </Alert>
        ) : (
          <TemplateField
            label="Title"
            placeholder="The name of the application"
            value={draft.title}
            error={problemAt('title')}
            onChange={(title) => patch({ title })}
          />
        )}
        <TemplateField
          label="Text"
          isLong
          isRequired
          value={draft.content}
          error={problemAt('content')}
          onChange={(content) => patch({ content })}
        />
        {!draft.silent && (
          <>
            <TemplateField
              label="Link"
              description="Where a tap leads: a web address, or a screen of your app as shop://orders/8841."
              placeholder="https://… or app://…"
              value={draft.clickUrl}
              error={problemAt('clickUrl')}
              onChange={(clickUrl) => patch({ clickUrl })}
            />
            <Checkbox
              label="Count who taps the web links"
              description="http and https links lead through the tracker; links into the app are counted by the app."
              checked={draft.trackLinks}
              onChange={({ currentTarget }) => patch({ trackLinks: currentTarget.checked })}
            />
            <TextInput
              label="Picture"
              description="Address of an image. iOS shows it when the app has a notification service extension."
              placeholder="https://…"
              value={draft.mediaUrl}
              error={problemAt('mediaUrl')}
              onChange={({ currentTarget }) => patch({ mediaUrl: currentTarget.value })}
            />
            <ActionsEditor />
          </>
        )}
      </Stack>
    </SectionCard>
  );
}
