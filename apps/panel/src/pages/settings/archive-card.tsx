import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ADMIN, keyOf } from '../../api/client';
import type { paths } from '@postrider/server/document';
import { uploadFile } from '../../api/upload-file';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { FileChoice } from '../../components/file-choice';
import { formatCount, formatNoun } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';

type Imported = paths['/api/admin/apps/{id}/archive']['post']['responses'][200]['content']['application/json'];

/** Everything that an application is made of, as one file: out of here, and into another installation. */
export function ArchiveCard({ appId }: { appId: string }): ReactNode {
  const url = `/api/admin/apps/${encodeURIComponent(appId)}/archive`;
  const [file, setFile] = useState<File | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const params = { path: { id: appId } };
  const importing = useSave({
    save: (archive: File) => sendArchive(url, archive, leaving.current.signal),
    said: 'The archive is imported',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
    onDone: setImported,
  });
  return (
    <SectionCard
      title="Move to another server"
      description="One file with the settings, segments, templates, drafts, trackers, users and devices. Secrets and messages are not in it."
    >
      <Group>
        <Button
          component="a"
          href={url}
          download={`${appId.replaceAll(/[^\w.-]/g, '_')}.ndjson.gz`}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export everything
        </Button>
        <FileChoice
          accept=".gz,.ndjson"
          onChoose={setFile}
          loading={importing.isPending}
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          Import an archive
        </FileChoice>
      </Group>
      {imported && (
        <Text size="sm" c="dimmed" role="status">
          New: {newIn(imported)}. {formatCount(imported.kept)} {imported.kept === 1 ? 'was' : 'were'} there already.
        </Text>
      )}
      {imported && imported.failed > 0 && <LeftOut imported={imported} />}
      <ConfirmDialog
        isOpen={file !== null}
        title="Import this archive?"
        confirmLabel="Import"
        onConfirm={() => (file === null ? Promise.resolve() : importing.mutateAsync(file))}
        onClose={() => setFile(null)}
      >
        <Typed text={file?.name ?? ''} />: its users, devices, segments, templates, drafts and trackers are added to{' '}
        {appId}, and the settings of {appId} become those of the archive.
      </ConfirmDialog>
    </SectionCard>
  );
}

/** What an archive brought, by kind; former versions of templates belong to their templates. */
function newIn({ users, devices, segments, templates, drafts, trackers }: Imported): string {
  const kinds: [number, string][] = [
    [users, 'user'],
    [devices, 'device'],
    [segments, 'segment'],
    [templates, 'template'],
    [drafts, 'draft'],
    [trackers, 'tracker'],
  ];
  return kinds.map(([count, noun]) => formatNoun(count, noun)).join(', ');
}

function LeftOut({ imported: { failed, problems } }: { imported: Imported }): ReactNode {
  return (
    <Alert color="orange" title={`${formatNoun(failed, 'line was', 'lines were')} left out`}>
      <List size="sm">
        {problems.map(({ line, message }) => (
          <List.Item key={line}>
            Line {formatCount(line)}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function sendArchive(url: string, file: File, signal: AbortSignal): Promise<Imported> {
  const headers: Record<string, string> = { 'content-type': 'application/x-ndjson' };
  if (/\.gz$/i.test(file.name)) headers['content-encoding'] = 'gzip';
  return uploadFile<Imported>(url, { body: file, headers, onProgress: () => undefined, signal });
}
