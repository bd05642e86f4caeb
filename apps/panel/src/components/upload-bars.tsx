import { Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UploadProgress } from '../api/upload-file';
import { formatBytes, formatNoun, formatShare } from './format';

/** The import of an uploaded file, as its job says. */
interface ImportedSoFar {
  lines: number;
  bytes: number;
  bytesImported: number;
}

/** The progress of an upload and of the import that follows it; `note` stands below while the import works. */
export function UploadBars(props: {
  progress: UploadProgress | null;
  imported: ImportedSoFar | undefined;
  note: string;
}): ReactNode {
  const { progress, imported, note } = props;
  return (
    <Stack gap="md">
      {/* Screen readers are told each step once: they read the bars when they are asked to, and not at each new number. */}
      <VisuallyHidden role="status">
        {imported ? 'The file is uploaded and being imported.' : 'The file is being uploaded.'}
      </VisuallyHidden>
      <Bar
        label="Upload"
        share={imported ? 1 : shareOf(progress?.sent, progress?.total)}
        says={saysOfUpload(progress, imported)}
      />
      <Bar
        label="Import"
        share={shareOf(imported?.bytesImported, imported?.bytes)}
        says={
          imported
            ? `${formatNoun(imported.lines, 'line')}, ${formatShare(imported.bytesImported, imported.bytes)}`
            : 'follows'
        }
      />
      {imported && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}

/** An import that is found again after its upload has only its size. */
function saysOfUpload(progress: UploadProgress | null, imported: ImportedSoFar | undefined): string {
  if (progress) return `${formatBytes(progress.sent)} of ${formatBytes(progress.total)}`;
  return imported ? formatBytes(imported.bytes) : 'begins';
}

function shareOf(part = 0, whole = 0): number {
  return part / Math.max(1, whole);
}

function Bar({ label, share, says }: { label: string; share: number; says: string }): ReactNode {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {says}
        </Text>
      </Group>
      <Progress value={share * 100} aria-label={label} />
    </div>
  );
}
