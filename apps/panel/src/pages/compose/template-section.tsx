import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, useApi } from '../../api/client';
import { useCursorList } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { nameQuery } from '../../components/name-search';
import { type Named, NamedSelect } from '../../components/named-select';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { contentOf } from '../../model/message-requests';
import { draftOfTemplate } from '../../model/template-form';
import classes from './compose.module.css';
import { useCompose } from './compose-context';

/** Begins the content with a template, and asks for the values of its variables. Nothing is shown while there are no templates. */
export function TemplateSection(): ReactNode {
  const { draft } = useCompose();
  const list = useCursorList('/api/templates', 'templates');
  const isUnread = list.error !== null && list.items.length === 0;
  if (!isUnread && list.items.length === 0 && draft.variables.length === 0 && draft.template === null) return null;
  return (
    <SectionCard title="Template">
      <Stack gap="md">
        {isUnread ? (
          <ErrorNotice error={list.error} title="The templates could not be read" onRetry={list.refresh} />
        ) : (
          <Picker />
        )}
        <Origin />
        <VariableFields />
      </Stack>
    </SectionCard>
  );
}

function Picker(): ReactNode {
  const api = useApi();
  const { draft, patch } = useCompose();
  const [part, setPart] = useState('');
  const found = useCursorList('/api/templates', 'templates', { params: { query: nameQuery(part) } });
  const [chosen, setChosen] = useState<Named | null>(null);
  const taking = useSave({
    save: () => answerOf(api.GET('/api/templates/{id}', { params: { path: { id: chosen?.id ?? '' } } })),
    changes: [],
    onDone: (template) => {
      const { saved, draftId, audience, schedule, rate, ttl, reach, channel, name } = draft;
      // Whom it goes to and when stay as they were chosen.
      const own = { saved, draftId, audience, schedule, rate, ttl, reach, channel };
      patch({ ...draftOfTemplate(template, draftId), ...own, name: name || template.name });
    },
  });
  return (
    <>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <NamedSelect
          label="Begin with a template"
          placeholder="Choose one, or type a part of its name"
          noun="template"
          className={classes.grow}
          found={found}
          chosen={chosen}
          onSearch={setPart}
          onChange={setChosen}
        />
        <Button
          variant="default"
          className={classes.firm}
          disabled={chosen === null}
          loading={taking.isPending}
          onClick={() => taking.mutate()}
        >
          Fill in
        </Button>
      </Group>
      <ErrorNotice error={taking.error} title="The template could not be read" />
    </>
  );
}

/** The template with which the message was begun, and if a search by it finds the message. */
function Origin(): ReactNode {
  const { draft, patch, problems, problemAt } = useCompose();
  const { template } = draft;
  if (template === null) return null;
  const isNamed = !('data' in problems) && contentOf(draft).templateId !== undefined;
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text size="sm" component="div">
          Begun with “<Typed text={template.name} />
          ”, version {template.version}.{' '}
          {isNamed
            ? 'Lists find the message by this template.'
            : 'Lists do not find the message by this template: it leaves out something that the template says.'}
        </Text>
        {problemAt('template') !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            The template was deleted. Forget it to send the message.
          </Text>
        )}
      </div>
      <Button variant="subtle" color="gray" size="xs" onClick={() => patch({ template: null })}>
        Forget the template
      </Button>
    </Group>
  );
}

function VariableFields(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { variables } = draft;
  if (variables.length === 0) return null;
  const change = (changed: string, value: string): void =>
    patch({ variables: variables.map((one) => (one.name === changed ? { ...one, value } : one)) });
  return (
    <div className={classes.pair}>
      {variables.map(({ name, value, isRequired, description }) => (
        <TextInput
          key={name}
          label={name}
          description={description || undefined}
          withAsterisk={isRequired}
          value={value}
          error={problemAt(`variables.${name}`)}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        />
      ))}
    </div>
  );
}
