import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { keyOf, useApi, useAppId } from '../../api/client';
import type { TemplateResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';

/** The versions of a template, newest first, and a way back to each. */
export function TemplateVersions({ template: { id, version } }: { template: TemplateResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const maySave = useCan('send');
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
                maySave && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={restoring.isPending && restoring.variables === one}
                    aria-label={`Go back to version ${one}`}
                    onClick={() => restoring.mutate(one)}
                  >
                    Go back to it
                  </Button>
                )
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
    </SectionCard>
  );
}
