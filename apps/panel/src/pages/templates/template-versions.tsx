import { Button, Group, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { keyOf, useApi, useAppId } from '../../api/client';
import type { TemplateResponse } from '@postrider/server/document';
import { useCursorList, useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { useSave } from '../../api/use-save';
import { Dialog } from '../../components/dialog';
import { ErrorNotice } from '../../components/error-notice';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Fact } from '../../components/stat';
import { JsonView, Typed } from '../../components/typed';
import classes from '../message/message-page.module.css';
import { formOfTemplate, type VariableForm } from '../../model/template-form';

/** The versions of a template, newest first, and a way back to each. */
export function TemplateVersions({ template: { id, version } }: { template: TemplateResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const maySave = useCan('send');
  const [opened, setOpened] = useState<number | null>(null);
  const params = { path: { id } };
  const list = useCursorList('/api/templates/{id}/versions', 'versions', { params });
  const restoring = useSave<number>({
    save: (old) => api.POST('/api/templates/{id}/restore', { params, body: { version: old } }),
    said: 'The old version is the newest one now.',
    changes: [
      keyOf(appId, '/api/templates/{id}', params),
      keyOf(appId, '/api/templates/{id}/versions'),
      keyOf(appId, '/api/templates'),
    ],
  });
  return (
    <SectionCard title="Versions" description="A message keeps the version that it was sent with.">
      <ErrorNotice error={list.error ?? restoring.error} title="The versions could not be read or changed" />
      <ul style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: '0.5rem' }}>
        {list.items.map(({ version: one, createdAt, createdBy }) => (
          <li key={one}>
            <Group justify="space-between" gap="sm">
              <Text size="sm" component="div">
                Version {one}, by <Typed text={createdBy} /> <Moment at={createdAt} />
              </Text>
              {one === version ? (
                <Text size="sm" c="dimmed">
                  newest
                </Text>
              ) : (
                <Group gap="xs">
                  <Button size="xs" variant="subtle" aria-label={`Open version ${one}`} onClick={() => setOpened(one)}>
                    Open
                  </Button>
                  {maySave && (
                    <Button
                      size="xs"
                      variant="default"
                      loading={restoring.isPending && restoring.variables === one}
                      aria-label={`Go back to version ${one}`}
                      onClick={() => restoring.mutate(one)}
                    >
                      Go back to it
                    </Button>
                  )}
                </Group>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button size="xs" variant="subtle" mt="sm" loading={list.isLoadingMore} onClick={list.loadMore}>
          Older versions
        </Button>
      )}
      <Dialog
        isOpen={opened !== null}
        title={opened === null ? '' : `Version ${opened}`}
        size="lg"
        onClose={() => setOpened(null)}
      >
        {opened !== null && <OldVersion id={id} version={opened} />}
      </Dialog>
    </SectionCard>
  );
}

/** The content of one version. */
function OldVersion({ id, version }: { id: string; version: number }): ReactNode {
  const found = useRead('/api/templates/{id}', { params: { path: { id }, query: { version } } });
  if (found.isPending) return <Skeleton height={160} role="status" aria-label="Reading the version" />;
  if (found.data === undefined) return <ErrorNotice error={found.error} title="The version could not be read" />;
  const { title, content, clickUrl, variables, more } = formOfTemplate(found.data);
  const texts = { Title: title, Text: content, Link: clickUrl };
  return (
    <dl className={classes.list}>
      {Object.entries(texts)
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <Fact key={name} name={name}>
            <Typed text={text} />
          </Fact>
        ))}
      {variables.length > 0 && (
        <Fact name="Variables">
          {variables.map((variable) => (
            <div key={variable.key}>
              <Typed text={variable.name} isMono /> {sayVariable(variable)}
            </div>
          ))}
        </Fact>
      )}
      {more !== '' && (
        <Fact name="Further fields">
          <JsonView value={more} label="further fields" />
        </Fact>
      )}
    </dl>
  );
}

function sayVariable({ isRequired, default: usual }: VariableForm): string {
  if (usual !== '') return `(${usual} if none is given)`;
  return isRequired ? '(required)' : '';
}
