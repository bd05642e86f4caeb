import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isNotFound } from '../../api/api-error';
import { answerOf, keyOf, useApi, useAppId, deletionOf } from '../../api/client';
import type { TemplateResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DeletedNotice } from '../../components/conflict-notice';
import { IconSend, IconTrash } from '../../components/icons';
import { KeptNotice } from '../../components/kept-notice';
import { PageHeader } from '../../components/page-header';
import { TextWarnings } from '../../components/text-warnings';
import { Typed } from '../../components/typed';
import { UnreadPage } from '../../components/unread-page';
import { useKept } from '../../components/use-kept';
import { useNewest } from '../../components/use-newest';
import { EMPTY_TEMPLATE, formOfTemplate, type TemplateForm, templateOfForm } from '../../model/template-form';
import { holdsNewerVersion, TemplateEditor } from './template-editor';
import { TemplateVersions } from './template-versions';

const BACK = { href: '/templates', label: 'Templates' };

/** A template that is not saved yet. */
export function NewTemplate(): ReactNode {
  const { found, keep, discard, beginnings } = useKept<TemplateForm>('template-new');
  const creating = useCreateTemplate(keep);
  return (
    <>
      <PageHeader title="New template" back={BACK} />
      <Stack gap="lg">
        {found && <KeptNotice onDiscard={discard} />}
        <TemplateEditor key={beginnings} initial={EMPTY_TEMPLATE} written={found} onWritten={keep} {...creating} />
      </Stack>
    </>
  );
}

/** Creates a template of what is written in the editor, and opens its page. */
function useCreateTemplate(
  keep: (written: null) => void,
): Pick<ComponentProps<typeof TemplateEditor>, 'submitLabel' | 'save' | 'onSaved'> {
  const api = useApi();
  const [, navigate] = useLocation();
  return {
    submitLabel: 'Create template',
    save: (form) => answerOf(api.POST('/api/templates', { body: templateOfForm(form) })),
    onSaved: ({ id }) => {
      keep(null);
      navigate(`/templates/${id}`, { replace: true });
    },
  };
}

/** One template: its newest version, and the older ones. */
export function SavedTemplate({ id }: { id: string }): ReactNode {
  const found = useRead('/api/templates/{id}', { params: { path: { id } } });
  if (found.data === undefined)
    return <UnreadPage title="Template" noun="template" height={320} back={BACK} found={found} />;
  return <OpenTemplate key={id} newest={found.data} />;
}

/**
 * A template that is being changed. Another person may delete it in the meantime, or save a newer version, which takes
 * the place of what stands here, unless something was written here.
 */
function OpenTemplate({ newest }: { newest: TemplateResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const params = { path: { id: newest.id } };
  const { base, found, beginnings, isBehind, setBase, discard, keep } = useNewest<TemplateResponse, TemplateForm>(
    newest,
    ({ version }) => version,
    `template-${newest.id}`,
  );
  const read = (template: TemplateResponse): void =>
    void client.setQueryData(keyOf(appId, '/api/templates/{id}', params), template);
  const [isDeleted, setDeleted] = useState(false);
  const creating = useCreateTemplate(keep);
  const save = async (form: TemplateForm): Promise<TemplateResponse> => {
    try {
      const body = { ...templateOfForm(form), version: base.version };
      const saved = await answerOf(api.PUT('/api/templates/{id}', { params, body }));
      setBase(saved);
      read(saved);
      return saved;
    } catch (error) {
      if (holdsNewerVersion(error)) read(error.current as TemplateResponse);
      if (isNotFound(error)) setDeleted(true);
      throw error;
    }
  };
  return (
    <>
      <PageHeader
        title={<Typed text={newest.name} lines={3} />}
        documentTitle={newest.name}
        back={BACK}
        description={`Version ${newest.version}`}
        actions={<TemplateActions template={newest} />}
      />
      <Stack gap="lg">
        <Warnings template={newest} />
        {found && !isBehind && <KeptNotice onDiscard={discard} />}
        <TemplateEditor
          key={beginnings}
          initial={formOfTemplate(base)}
          written={found}
          newer={isBehind ? { template: newest, onTake: discard, onKeep: () => setBase(newest) } : null}
          onWritten={keep}
          {...(isDeleted ? creating : { submitLabel: 'Save as a new version', save })}
        />
        {isDeleted && <DeletedNotice noun="template" />}
        <TemplateVersions template={newest} />
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

/** The actions of a template. */
function TemplateActions({ template: { id, name } }: { template: TemplateResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const maySend = useCan('send');
  const remove = async (): Promise<void> => {
    await deletionOf(api.DELETE('/api/templates/{id}', { params: { path: { id } } }));
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
