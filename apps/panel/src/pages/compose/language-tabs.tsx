import { Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus, IconTrash } from '../../components/icons';
import { ADDS, removeAndFocus } from '../../components/keep-focus';
import type { LanguageDraft } from '../../model/message-draft';
import { newLanguage } from '../../model/message-languages';
import { useCompose } from './compose-context';
import { TemplateField } from './template-field';

const DEFAULT = 'default';
const MOST = 50;

/** The texts that apply if a language leaves its own out. */
export type UsualTexts = Pick<LanguageDraft, 'title' | 'content' | 'alertText' | 'clickUrl'>;

interface LanguagesProps {
  /** Names the tabs. */
  label: string;
  languages: LanguageDraft[];
  usual: UsualTexts;
  hasSms: boolean;
  onChange: (languages: LanguageDraft[]) => void;
}

/** The content of a message or of a variant, with a tab for each language beside the default. */
export function LanguageTabs(props: LanguagesProps & { children: ReactNode }): ReactNode {
  const { label, languages, onChange, children } = props;
  const { isMarked, showLanguage } = useCompose();
  const [chosen, setChosen] = useState(DEFAULT);
  // The button that adds the first language is replaced: without this the focus would be nowhere.
  const [added, setAdded] = useState<string | null>(null);
  const isThere = languages.some(({ key }) => key === chosen);
  const add = (): void => {
    const language = newLanguage();
    onChange([...languages, language]);
    setChosen(language.key);
    showLanguage('');
    setAdded(language.key);
  };
  const adder = languages.length < MOST && (
    <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} onClick={add} {...ADDS}>
      Add a language
    </Button>
  );
  if (languages.length === 0) {
    return (
      <Stack gap="md">
        {children}
        <div>{adder}</div>
      </Stack>
    );
  }
  return (
    <Tabs
      value={isThere ? chosen : DEFAULT}
      onChange={(key) => {
        // Whoever goes from tab to tab stays there.
        setAdded(null);
        setChosen(key ?? DEFAULT);
        showLanguage(languages.find((language) => language.key === key)?.tag.trim() ?? '');
      }}
      keepMounted={false}
    >
      <Group justify="space-between" align="center" gap="xs" mb="md">
        <Tabs.List aria-label={label}>
          <Tabs.Tab value={DEFAULT}>Default</Tabs.Tab>
          {languages.map(({ key, tag }) => (
            <Tabs.Tab key={key} value={key} data-unfinished={isMarked(`language.${key}.`) || undefined}>
              {tag.trim() || 'New language'}
              {isMarked(`language.${key}.`) && ' (unfinished)'}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {adder}
      </Group>
      <Tabs.Panel value={DEFAULT}>{children}</Tabs.Panel>
      {languages.map((language) => (
        <Tabs.Panel key={language.key} value={language.key}>
          <LanguageFields {...props} language={language} isNew={language.key === added} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The differences in one language: an empty field uses the default's. */
function LanguageFields(
  props: LanguagesProps & {
    language: LanguageDraft;
    /** True if it was just added: the keyboard focus goes to its tag. */
    isNew: boolean;
  },
): ReactNode {
  const { language, languages, usual, isNew, onChange } = props;
  const { draft, problemAt, showLanguage } = useCompose();
  const change = (changes: Partial<LanguageDraft>): void =>
    onChange(languages.map((one) => (one.key === language.key ? { ...one, ...changes } : one)));
  const errorOf = (field: keyof LanguageDraft): string | undefined => problemAt(`language.${language.key}.${field}`);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Devices with this language get these texts. Empty fields use the default text.
      </Text>
      <TextInput
        label="Language"
        description="A language tag: fa, de-AT, zh-Hant. A device with fa-IR gets fa."
        placeholder="fa"
        withAsterisk
        autoFocus={isNew}
        value={language.tag}
        error={errorOf('tag')}
        onChange={({ currentTarget }) => {
          change({ tag: currentTarget.value });
          showLanguage(currentTarget.value.trim());
        }}
      />
      {!draft.silent && (
        <TemplateField
          label="Title"
          placeholder={usual.title}
          value={language.title}
          error={errorOf('title')}
          onChange={(title) => change({ title })}
        />
      )}
      <TemplateField
        label="Text"
        isLong
        placeholder={usual.content}
        value={language.content}
        error={errorOf('content')}
        onChange={(content) => change({ content })}
      />
      <RareFields {...props} change={change} errorOf={errorOf} />
      <div>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={(event) =>
            removeAndFocus(event, () => onChange(languages.filter(({ key }) => key !== language.key)))
          }
        >
          Remove this language
        </Button>
      </div>
    </Stack>
  );
}

/** Fields that a language has where the default has them. */
function RareFields(
  props: LanguagesProps & {
    language: LanguageDraft;
    change: (changes: Partial<LanguageDraft>) => void;
    errorOf: (field: keyof LanguageDraft) => string | undefined;
  },
): ReactNode {
  const { draft } = useCompose();
  const { language, usual, hasSms, change, errorOf } = props;
  return (
    <>
      {!draft.silent && (usual.alertText !== '' || language.alertText !== '') && (
        <TemplateField
          label="Text of the notification"
          placeholder={usual.alertText}
          value={language.alertText}
          error={errorOf('alertText')}
          onChange={(alertText) => change({ alertText })}
        />
      )}
      {!draft.silent && (
        <TemplateField
          label="Link"
          placeholder={usual.clickUrl || 'https://… or app://…'}
          value={language.clickUrl}
          error={errorOf('clickUrl')}
          onChange={(clickUrl) => change({ clickUrl })}
        />
      )}
      {hasSms && (
        <TemplateField
          label="Text of the SMS"
          isLong
          placeholder={draft.fallback.content}
          value={language.sms}
          error={errorOf('sms')}
          onChange={(sms) => change({ sms })}
        />
      )}
    </>
  );
}
