import { Accordion, Alert, Button, Group, JsonInput, Stack, Text, TextInput } from '@mantine/core';
import { LEAST_VARIANTS } from '@postrider/domain';
import type { ReactNode } from 'react';
import { formatShare } from '../../components/format';
import { IconTrash } from '../../components/icons';
import { removeAndFocus } from '../../components/keep-focus';
import type { LanguageDraft, VariantDraft } from '../../model/message-draft';
import { newLanguage } from '../../model/message-languages';
import { ActionsEditor } from './actions-editor';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { LanguageTabs, type UsualTexts } from './language-tabs';
import { TemplateField } from './template-field';

interface OwnFields {
  variant: VariantDraft;
  change: (changes: Partial<VariantDraft>) => void;
  errorOf: (field: keyof VariantDraft) => string | undefined;
}

/** The fields of one variant: an empty field is as in the message. */
export function VariantFields(props: {
  variant: VariantDraft;
  share: number;
  /** True if it was just added: the keyboard focus goes to its name. */
  isNew: boolean;
}): ReactNode {
  const { variant, share, isNew } = props;
  const { draft, patch, problemAt } = useCompose();
  const change = (changes: Partial<VariantDraft>): void =>
    patch({ variants: draft.variants.map((one) => (one.key === variant.key ? { ...one, ...changes } : one)) });
  const own = { variant, change, errorOf: (field: keyof VariantDraft) => problemAt(`variant.${variant.key}.${field}`) };
  return (
    <Stack gap="md">
      <NameAndWeight {...own} share={share} isNew={isNew} />
      <Text size="sm" c="dimmed">
        A field that is left empty is as in the message above.
      </Text>
      <LanguageTabs
        label={`Languages of ${variant.name.trim() || 'this variant'}`}
        languages={variant.languages}
        usual={usualOf(variant, draft)}
        hasSms={false}
        onChange={(languages) => change({ languages })}
      >
        <Stack gap="md">
          <Texts {...own} />
          <MissingLanguages {...own} />
        </Stack>
      </LanguageTabs>
      <Rest {...own} />
      <Removal variant={variant} />
    </Stack>
  );
}

/** Returns the texts that a variant uses for a language without texts: its own, or those of the message. */
function usualOf(variant: VariantDraft, message: UsualTexts): UsualTexts {
  return {
    title: variant.title || message.title,
    content: variant.content || message.content,
    alertText: variant.alertText || message.alertText,
    clickUrl: variant.clickUrl || message.clickUrl,
  };
}

function NameAndWeight({
  variant,
  share,
  isNew,
  change,
  errorOf,
}: OwnFields & { share: number; isNew: boolean }): ReactNode {
  return (
    <div className={classes.pair}>
      <TextInput
        label="Name"
        description="Shown beside its figures; users do not see it."
        withAsterisk
        autoFocus={isNew}
        value={variant.name}
        error={errorOf('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Weight"
        description={`${formatShare(share, 1)} of those who get a variant.`}
        withAsterisk
        inputMode="numeric"
        value={variant.weight}
        error={errorOf('weight')}
        onChange={({ currentTarget }) => change({ weight: currentTarget.value })}
      />
    </div>
  );
}

function Texts({ variant, change, errorOf }: OwnFields): ReactNode {
  const { draft } = useCompose();
  return (
    <>
      {!draft.silent && (
        <TemplateField
          label="Title"
          placeholder={draft.title || 'The name of the application'}
          value={variant.title}
          error={errorOf('title')}
          onChange={(title) => change({ title })}
        />
      )}
      <TemplateField
        label="Text"
        isLong
        placeholder={draft.content}
        value={variant.content}
        error={errorOf('content')}
        onChange={(content) => change({ content })}
      />
      {!draft.silent && (
        <>
          <TemplateField
            label="Text of the notification, if it differs"
            placeholder={draft.alertText}
            value={variant.alertText}
            error={errorOf('alertText')}
            onChange={(alertText) => change({ alertText })}
          />
          <TemplateField
            label="Link"
            placeholder={draft.clickUrl || 'https://… or app://…'}
            value={variant.clickUrl}
            error={errorOf('clickUrl')}
            onChange={(clickUrl) => change({ clickUrl })}
          />
          <TextInput
            label="Picture"
            placeholder={draft.mediaUrl || 'https://…'}
            value={variant.mediaUrl}
            error={errorOf('mediaUrl')}
            onChange={({ currentTarget }) => change({ mediaUrl: currentTarget.value })}
          />
          <ActionsEditor
            actions={variant.actions}
            description={
              draft.actions.length === 0
                ? 'The message has none.'
                : `Without any it has those of the message: ${draft.actions.map(({ title }) => title).join(', ')}.`
            }
            onChange={(actions) => change({ actions })}
          />
        </>
      )}
    </>
  );
}

/** The variant's texts replace the message's texts for a language: readers of that language must know. */
function MissingLanguages({ variant, change }: OwnFields): ReactNode {
  const { draft } = useCompose();
  const known = new Set(variant.languages.map(({ tag }) => tag.trim().toLowerCase()));
  const missing = draft.languages
    .map(({ tag }) => tag.trim())
    .filter((tag) => !known.has(tag.toLowerCase()) && tag !== '');
  const says = [variant.title, variant.content, variant.alertText, variant.clickUrl].some((text) => text !== '');
  if (!says || missing.length === 0) return null;
  const add = (): void => {
    const languages: LanguageDraft[] = missing.map((tag) => ({ ...newLanguage(), tag }));
    change({ languages: [...variant.languages, ...languages] });
  };
  return (
    <Alert color="amber" variant="light" role="status">
      Devices in {missing.join(', ')} get these texts too: they go before those of the message in every language.
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={add}>
          Add {missing.join(', ')} to this variant
        </Button>
      </Group>
    </Alert>
  );
}

/** Everything else that a variant may say. */
function Rest({ variant, change, errorOf }: OwnFields): ReactNode {
  const { isMarked } = useCompose();
  const isOpen = ['data', 'more'].some((field) => isMarked(`variant.${variant.key}.${field}`));
  return (
    <Accordion
      variant="default"
      chevronPosition="right"
      classNames={{ item: classes.plain }}
      defaultValue={isOpen || variant.data !== '' || variant.more !== '' ? 'more' : null}
      key={`${variant.key} ${isOpen}`}
      order={3}
    >
      <Accordion.Item value="more">
        <Accordion.Control>More of this variant</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <Json
              label="Data"
              description="JSON for the app. If it is empty, the JSON of the message is used."
              placeholder='{ "orderId": 8841 }'
              value={variant.data}
              error={errorOf('data')}
              onChange={(data) => change({ data })}
            />
            <Json
              label="Other fields"
              description="JSON, with the names of the API: useAsAlert, autoNotify, silent, and the fields of notification."
              placeholder='{ "silent": true, "notification": { "sound": "bell" } }'
              value={variant.more}
              error={errorOf('more')}
              onChange={(more) => change({ more })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Json(props: {
  label: string;
  description: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  return <JsonInput {...props} dir="ltr" formatOnBlur autosize minRows={2} maxRows={16} spellCheck={false} />;
}

/** Takes the variant out. The last two are removed together: one alone is not a test. */
function Removal({ variant }: { variant: VariantDraft }): ReactNode {
  const { draft, patch, showVariant } = useCompose();
  const { variants } = draft;
  const isLast = variants.length <= LEAST_VARIANTS;
  const remove = (): void => {
    const left = isLast ? [] : variants.filter(({ key }) => key !== variant.key);
    patch({ variants: left });
    showVariant(left[0]?.key ?? null);
  };
  return (
    <div>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={(event) => removeAndFocus(event, remove)}
      >
        {isLast ? 'Remove all variants' : 'Remove this variant'}
      </Button>
    </div>
  );
}
