import { Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { TemplateResponse } from '@postrider/server/document';
import { type ApiError, isEditConflict } from '../../api/api-error';
import { keyOf, useAppId } from '../../api/client';
import { useCan } from '../../api/session';
import { ErrorNotice } from '../../components/error-notice';
import { IconPlus } from '../../components/icons';
import { ADDS, removeAndFocus, submitAndFocus } from '../../components/keep-focus';
import { Moment } from '../../components/moment';
import { type NewerChoice, NewerNotice } from '../../components/newer-notice';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type Form, useForm } from '../../components/use-form';
import { integerProblem, readFurtherFields } from '../../model/message-body';
import type { TemplateForm, VariableForm } from '../../model/template-form';

/** The form of a template. */
export function TemplateEditor(props: {
  initial: TemplateForm;
  /** What was written before the page was left and is not saved. */
  written: TemplateForm | null;
  submitLabel: string;
  newer?: NewerVersion | null;
  save: (form: TemplateForm) => Promise<TemplateResponse>;
  onSaved?: (template: TemplateResponse) => void;
  /** Told what is written that is not saved; null: nothing. */
  onWritten: (form: TemplateForm | null) => void;
}): ReactNode {
  const { newer = null, onWritten } = props;
  const appId = useAppId();
  const maySave = useCan('send');
  const [saved, setSaved] = useState(props.initial);
  const form = useForm<TemplateForm, TemplateResponse>({
    initial: props.written ?? props.initial,
    check: checkForm,
    fields: () => ['name', 'description', 'variables', 'message.content', 'message.notification'],
    save: async (values) => {
      const template = await props.save(values);
      setSaved(values);
      return template;
    },
    said: 'The template is saved.',
    changes: [keyOf(appId, '/api/templates'), keyOf(appId, '/api/templates/{id}/versions')],
    onDone: props.onSaved,
  });
  const isChanged = JSON.stringify(form.values) !== JSON.stringify(saved);
  const { values } = form;
  useEffect(() => onWritten(isChanged ? values : null), [onWritten, isChanged, values]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The fields stand far above the button.
        submitAndFocus(event, form.submit);
      }}
    >
      <SectionCard title="Content">
        <Stack gap="md">
          <TextInput label="Name" withAsterisk {...form.text('name')} />
          <TextInput label="What it is for" {...form.text('description')} />
          <TextInput label="Title" {...form.text('title')} />
          <Textarea
            label="Text"
            description="Liquid. A variable of the template is {{ variables.name }}."
            withAsterisk
            autosize
            minRows={3}
            {...form.text('content')}
            error={form.problemOf('content') ?? form.problemOf('message.content')}
          />
          <TextInput
            label="Link"
            {...form.text('clickUrl')}
            error={form.problemOf('clickUrl') ?? form.problemOf('message.notification')}
          />
          <Variables form={form} />
          <Textarea
            label="Further fields"
            description="JSON, as in a send: data, alertText, notification, fallback and so on."
            dir="ltr"
            autosize
            minRows={2}
            maxRows={16}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
            {...form.text('more')}
          />
          {newer !== null && !form.isPending && <NewerVersionNotice {...newer} />}
          <ErrorNotice
            error={holdsNewerVersion(form.error) ? null : form.error}
            title="The template was not saved"
            shownPaths={form.shownPaths}
          />
          {maySave && (
            <Group>
              <Button type="submit" loading={form.isPending}>
                {props.submitLabel}
              </Button>
            </Group>
          )}
        </Stack>
      </SectionCard>
    </form>
  );
}

function Variables({ form }: { form: Form<TemplateForm> }): ReactNode {
  const { variables } = form.values;
  const change = (key: number, changes: Partial<VariableForm>): void =>
    form.change({ variables: variables.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  const problem = form.problemOf('variables');
  const problemAt = (n: number, part: 'name' | 'default'): string | undefined =>
    form.problemOf(`variables[${n}].${part}`);
  const isMarked = variables.some((_, n) => problemAt(n, 'name') ?? problemAt(n, 'default'));
  const [added, setAdded] = useState<number | null>(null);
  const add = (): void => {
    const key = Math.max(0, ...variables.map((one) => one.key)) + 1;
    setAdded(key);
    form.change({ variables: [...variables, { key, name: '', isRequired: true, default: '', isJson: false }] });
  };
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        Variables
      </Text>
      <Stack gap="sm" mt="xs">
        {variables.map(({ key, name, isRequired, default: usual }, n) => (
          <Group key={key} gap="sm" align="flex-end" role="group" aria-label={`Variable ${n + 1}`}>
            <TextInput
              label="Name"
              value={name}
              error={problemAt(n, 'name')}
              autoFocus={key === added}
              flex="1 1 9rem"
              onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
            />
            <TextInput
              label="Value if none is given"
              value={usual}
              error={problemAt(n, 'default')}
              flex="1 1 9rem"
              onChange={({ currentTarget }) => change(key, { default: currentTarget.value })}
            />
            <Checkbox
              label="Required"
              mb={8}
              checked={isRequired}
              onChange={({ currentTarget }) => change(key, { isRequired: currentTarget.checked })}
            />
            <Button
              variant="subtle"
              color="gray"
              onClick={(event) =>
                removeAndFocus(event, () => form.change({ variables: variables.filter((one) => one.key !== key) }))
              }
            >
              Remove
            </Button>
          </Group>
        ))}
        {problem !== undefined && !isMarked && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={add} {...ADDS}>
            Add a variable
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

function checkForm({ name, content, more }: TemplateForm): Record<string, string> {
  const changed = integerProblem(more);
  return {
    ...(name.trim() === '' ? { name: 'Enter a name' } : {}),
    ...(content === '' && more.trim() === '' ? { content: 'Enter the text' } : {}),
    ...(readFurtherFields(more) !== null ? {} : { more: 'This is no JSON object yet' }),
    ...(changed === undefined ? {} : { more: changed }),
  };
}

/** The newer version that another person has saved while this one was changed here. */
interface NewerVersion extends NewerChoice {
  template: TemplateResponse;
}

function NewerVersionNotice({ template, ...choice }: NewerVersion): ReactNode {
  const { version, updatedBy, updatedAt } = template;
  return (
    <NewerNotice title="There is a newer version" {...choice}>
      <Typed text={updatedBy} /> saved version {version} <Moment at={updatedAt} />. What you changed since is here only.
      If you keep it and save it, it becomes the version after theirs.
    </NewerNotice>
  );
}

/** True if somebody else has saved a newer version, which the error holds. */
export function holdsNewerVersion(error: unknown): error is ApiError {
  return isEditConflict(error) && error.current !== null;
}
