import { Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { MOST_VARIANTS } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import { IconPlus } from '../../components/icons';
import { ADDS } from '../../components/keep-focus';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { holdsOut, namesUsers, type VariantDraft } from '../../model/message-draft';
import { freeName, newTest, newVariant, sharesOf } from '../../model/message-variants';
import classes from './compose.module.css';
import { useCompose, useShownVariant } from './compose-context';
import { TrackIdField } from './track-id-field';
import { VariantFields } from './variant-fields';
import { WinnerFields } from './winner-fields';

/** What different users get, who gets nothing, and how the best variant is chosen. */
export function TestSection(): ReactNode {
  const { draft } = useCompose();
  // The button that adds the first variants is replaced: without this the focus would be nowhere.
  const [added, setAdded] = useState<string | null>(null);
  if (namesUsers(draft)) {
    return (
      <SectionCard title="A/B test">
        <Text size="sm" c="dimmed">
          A test is available for segments and for everyone. Users who are named get the message as it is.
        </Text>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="A/B test">
      <Stack gap="lg">
        {draft.variants.length === 0 ? <Begin onAdd={setAdded} /> : <Variants added={added} onAdd={setAdded} />}
        <HoldoutField />
        {holdsOut(draft) && <TrackIdField />}
      </Stack>
    </SectionCard>
  );
}

/** @param props.onAdd gets the key of the variant to write next */
function Begin({ onAdd }: { onAdd: (key: string | null) => void }): ReactNode {
  const { patch, showVariant } = useCompose();
  const begin = (): void => {
    const variants = newTest();
    patch({ variants });
    const next = variants.at(-1)?.key ?? null;
    showVariant(next);
    onAdd(next);
  };
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className={classes.grow}>
        Send different texts to different users, and see which works best.
      </Text>
      <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} onClick={begin} {...ADDS}>
        Add variants
      </Button>
    </Group>
  );
}

function Variants({ added, onAdd }: { added: string | null; onAdd: (key: string | null) => void }): ReactNode {
  const { draft, patch, showVariant, showLanguage, problemAt } = useCompose();
  const { variants } = draft;
  const shown = useShownVariant();
  const shares = sharesOf(variants);
  const add = (): void => {
    const variant = newVariant(freeName(variants));
    patch({ variants: [...variants, variant] });
    showVariant(variant.key);
    onAdd(variant.key);
  };
  const problem = problemAt('variants');
  return (
    <>
      <Tabs
        value={shown?.key ?? null}
        onChange={(key) => {
          // Whoever goes from tab to tab stays there.
          onAdd(null);
          showVariant(key);
          showLanguage('');
        }}
        keepMounted={false}
      >
        <Group justify="space-between" align="center" gap="xs" mb="md">
          <Tabs.List aria-label="Variants">
            {variants.map((variant) => (
              <VariantTab key={variant.key} variant={variant} />
            ))}
          </Tabs.List>
          {variants.length < MOST_VARIANTS && (
            <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} onClick={add} {...ADDS}>
              Add a variant
            </Button>
          )}
        </Group>
        {variants.map((variant, place) => (
          <Tabs.Panel key={variant.key} value={variant.key}>
            <VariantFields variant={variant} share={shares[place] ?? 0} isNew={variant.key === added} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <WinnerFields />
    </>
  );
}

function VariantTab({ variant }: { variant: VariantDraft }): ReactNode {
  const { isMarked } = useCompose();
  const isUnfinished = prefixesOf(variant).some((prefix) => isMarked(prefix));
  return (
    <Tabs.Tab value={variant.key} data-unfinished={isUnfinished || undefined}>
      <span className={classes.tabName}>
        <Typed text={variant.name.trim() || 'Without a name'} lines={1} />
      </span>
      {isUnfinished && ' (unfinished)'}
    </Tabs.Tab>
  );
}

/** Returns the prefixes of the names of a variant's fields. */
function prefixesOf({ key, languages, actions }: VariantDraft): string[] {
  return [
    `variant.${key}.`,
    ...languages.map((language) => `language.${language.key}.`),
    ...actions.map((action) => `action.${action.key}.`),
  ];
}

/** The share that gets nothing. */
function HoldoutField(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <TextInput
      label="Holdout, in percent"
      description="This share of the users gets nothing, so that the others can be compared with them."
      placeholder="0"
      inputMode="numeric"
      className={classes.narrow}
      value={draft.holdout}
      error={problemAt('holdout')}
      onChange={({ currentTarget }) => patch({ holdout: currentTarget.value })}
    />
  );
}
