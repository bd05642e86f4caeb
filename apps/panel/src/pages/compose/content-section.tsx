import { Alert, Checkbox, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInfoCircle } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { hasTest } from '../../model/message-draft';
import { hasSms } from '../../model/message-languages';
import { ActionsEditor } from './actions-editor';
import { useCompose } from './compose-context';
import { LanguageTabs } from './language-tabs';
import { TemplateField } from './template-field';

/** The texts of the message, and its link. */
export function ContentSection(): ReactNode {
  const { draft, patch } = useCompose();
  return (
    <SectionCard title="Content">
      <LanguageTabs
        label="Languages"
        languages={draft.languages}
        usual={draft}
        hasSms={hasSms(draft)}
        onChange={(languages) => patch({ languages })}
      >
        <DefaultContent />
      </LanguageTabs>
    </SectionCard>
  );
}

function DefaultContent(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <Stack gap="md">
      {draft.silent ? (
        <Alert color="sky" variant="light" icon={<IconInfoCircle aria-hidden />}>
          A silent message shows nothing. The app gets the text and the data. To show a notification, switch “Silent”
          off under “More options”.
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
        isRequired={!hasTest(draft)}
        value={draft.content}
        error={problemAt('content')}
        onChange={(content) => patch({ content })}
      />
      {!draft.silent && (
        <>
          <TemplateField
            label="Link"
            description="Opened by a tap: a web address, or a screen of your app such as shop://orders/8841."
            placeholder="https://… or app://…"
            value={draft.clickUrl}
            error={problemAt('clickUrl')}
            onChange={(clickUrl) => patch({ clickUrl })}
          />
          <Checkbox
            label="Count clicks on web links"
            description="Tracks http and https links. The app reports links into the app."
            checked={draft.trackLinks}
            onChange={({ currentTarget }) => patch({ trackLinks: currentTarget.checked })}
          />
          <TextInput
            label="Picture"
            description="The address of an image. iOS shows it if the app has a notification service extension."
            placeholder="https://…"
            value={draft.mediaUrl}
            error={problemAt('mediaUrl')}
            onChange={({ currentTarget }) => patch({ mediaUrl: currentTarget.value })}
          />
          <ActionsEditor actions={draft.actions} onChange={(actions) => patch({ actions })} />
        </>
      )}
    </Stack>
  );
}
