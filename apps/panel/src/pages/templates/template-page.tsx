import { Button, Checkbox, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { answerOf, keyOf, useApi, useAppId } from '../../api/client';
import type { TemplateResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { IconPlus, IconSend, IconTrash } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { TextWarnings } from '../../components/text-warnings';
import { Typed } from '../../components/typed';
import { type Form, useForm } from '../../components/use-form';
import {
  EMPTY_TEMPLATE,
  formOfTemplate,
  type TemplateForm,
  templateOfForm,
  type VariableForm,
} from '../../model/template-form';
import { readFurtherFields } from '../../model/message-body';
import { TemplateVersions } from './template-versions';

const BACK = { href: '/templates', label: 'Templates' };

/** A template that is not saved yet. */
export function NewTemplate(): ReactNode {
  const api = useApi();
  const [, navigate] = useLocation();
  return (
    <>
      <PageHeader title="New template" back={BACK} />
      <TemplateEditor
        initial={EMPTY_TEMPLATE}
        submitLabel="Create template"
        save={(form) => answerOf(api.POST('/api/templates', { body: templateOfForm(form) }))}
        onSaved={({ id }) => navigate(`/templates/${id}`, { replace: true })}
      />
    </>
  );
}

/** One template: its newest version, and the older ones. */
export function SavedTemplate({ id }: { id: string }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const params = { path: { id } };
  const found = useRead('/api/templates/{id}', { params });
  if (found.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading the template" />;
  if (found.isError) {
    return (
      <>
        <PageHeader title="Template" back={BACK} />
        <ErrorNotice error={found.error} title="The template could not be read" onRetry={() => void found.refetch()} />
      </>
    );
  }
  const { data: template } = found;
  const { version } = template;
  return (
    <>
      <PageHeader
        title={<Typed text={template.name} lines={3} />}
        documentTitle={template.name}
        back={BACK}
        description={`Version ${version}`}
        actions={<TemplateActions template={template} />}
      />
      <Stack gap="lg">
        <Warnings template={template} />
        <TemplateEditor
          key={version}
          initial={formOfTemplate(template)}
          submitLabel="Save as a new version"
          save={(form) =>
            answerOf(api.PUT('/api/templates/{id}', { params, body: { ...templateOfForm(form), version } }))
          }
          onSaved={(saved) => client.setQueryData(keyOf(appId, '/api/templates/{id}', params), saved)}
        />
        <TemplateVersions template={template} />
      </Stack>
    </>
  );
}

/** Probable mistakes in a saved template that can still be sent. */
function Warnings({ template: { warnings, variables } }: { template: TemplateResponse }): ReactNode {
  const nameOf = (path: string): string | undefined => {
    const place = /^variables\[(\d+)\]$/.exec(path)?.[1];
    return place === undefined ? undefined : `The variable ${variables[Number(place)]?.name ?? ''}`;
  };
  const ofMessage = warnings.map(({ path, message }) => ({ path: path.replace(/^message\./, ''), message }));
  return <TextWarnings warnings={ofMessage} nameOf={nameOf} />;
}

function TemplateEditor(props: {
  initial: TemplateForm;
  submitLabel: string;
  save: (form: TemplateForm) => Promise<TemplateResponse>;
  onSaved: (template: TemplateResponse) => void;
}): ReactNode {
  const appId = useAppId();
  const maySave = useCan('send');
  const form = useForm<TemplateForm, TemplateResponse>({
    initial: props.initial,
    check: checkForm,
    fields: () => ['name', 'description', 'variables', 'message.content', 'message.notification'],
    save: props.save,
    said: 'The template is saved.',
    changes: [keyOf(appId, '/api/templates'), keyOf(appId, '/api/templates/{id}/versions')],
    onDone: props.onSaved,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
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
            autosize
            minRows={2}
            {...form.text('more')}
          />
          <ErrorNotice error={form.error} title="The template was not saved" shownPaths={form.shownPaths} />
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
              autoFocus={key === added}
              flex="1 1 9rem"
              onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
            />
            <TextInput
              label="Value if none is given"
              value={usual}
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
              onClick={() => form.change({ variables: variables.filter((one) => one.key !== key) })}
            >
              Remove
            </Button>
          </Group>
        ))}
        {form.problemOf('variables') !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.problemOf('variables')}
          </Text>
        )}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
            Add a variable
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

function checkForm({ name, content, more }: TemplateForm): Record<string, string> {
  return {
    ...(name.trim() === '' ? { name: 'Enter a name' } : {}),
    ...(content === '' && more.trim() === '' ? { content: 'Enter the text' } : {}),
    ...(readFurtherFields(more) !== null ? {} : { more: 'This is no JSON object yet' }),
  };
}

/** The actions of a template. */
function TemplateActions({ template: { id, name } }: { template: TemplateResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const maySend = useCan('send');
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/templates/{id}', { params: { path: { id } } });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/templates') });
    navigate('/templates');
  };
  if (!maySend) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <Button component={Link} href={`/compose?template=${id}`} leftSection={<IconSend size={16} aria-hidden />}>
        Write a message with it
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title="Delete this template?"
        confirmLabel="Delete it"
        onConfirm={remove}
        onClose={() => setAsked(false)}
      >
        <Typed text={name} /> is deleted with all versions. Sends that name it are refused from then on. Messages that
        were accepted keep its content.
      </ConfirmDialog>
    </>
  );
}
