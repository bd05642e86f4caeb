import { Alert, FileInput, List, Stack, Text } from '@mantine/core';
import { USUAL_MAX_USERS } from '@postrider/domain';
import { type ReactNode, useRef, useState } from 'react';
import { UNREAD_FILE } from '../../components/file-choice';
import { formatCount, formatNoun } from '../../components/format';
import { IconAlertCircle, IconUpload } from '../../components/icons';
import { Typed } from '../../components/typed';
import { type LineProblem, readUserIds, type UserIdsReading } from '../../model/read-user-ids';
import { useCompose } from './compose-context';

const UNREAD: UserIdsReading = { kind: 'refused', problems: [{ line: 0, message: UNREAD_FILE }] };

/** Recipients from a file of user ids, which is read here and goes nowhere else. */
export function FileAudience(): ReactNode {
  const { draft, patch, fileUsers, setFileUsers, problemAt } = useCompose();
  const [file, setFile] = useState<File | null>(null);
  const [isReading, setReading] = useState(false);
  const [refused, setRefused] = useState<LineProblem[]>([]);
  const [duplicates, setDuplicates] = useState(0);
  const latest = useRef<File>(null);
  const take = async (chosen: File | null): Promise<void> => {
    latest.current = chosen;
    setFile(chosen);
    setFileUsers(null);
    setRefused([]);
    setReading(false);
    patch({ audience: { ...draft.audience, fileName: chosen?.name ?? '' } });
    if (chosen === null) return;
    setReading(true);
    const reading = await readUserIds(piecesOf(chosen)).catch(() => UNREAD);
    // Another file may have been chosen meanwhile, or none.
    if (latest.current !== chosen) return;
    setReading(false);
    if (reading.kind === 'refused') {
      setRefused(reading.problems);
      return;
    }
    setDuplicates(reading.duplicates);
    setFileUsers(reading.userIds);
  };
  const isForgotten = file === null && fileUsers === null && draft.audience.fileName !== '';
  return (
    <Stack gap="sm">
      <FileInput
        label="File of user ids"
        description={`CSV or text in UTF-8, one user id on each line, at most ${formatCount(USUAL_MAX_USERS)}.`}
        placeholder={isForgotten ? `Choose ${draft.audience.fileName} again` : 'Choose a file'}
        accept=".csv,.txt,text/csv,text/plain"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        leftSection={<IconUpload size={16} aria-hidden />}
        value={file}
        error={refused.length === 0 && !isReading ? problemAt('audience') : undefined}
        onChange={(chosen) => void take(chosen)}
      />
      {fileUsers !== null && (
        <Text size="sm" role="status">
          {formatNoun(fileUsers.length, 'user')}
          {duplicates > 0 && <>; {formatNoun(duplicates, 'repeated line')} left out</>}. The first:{' '}
          <Typed text={fileUsers.slice(0, 3).join(', ')} isMono />
        </Text>
      )}
      {refused.length > 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title="The file cannot be used as it is"
          icon={<IconAlertCircle aria-hidden />}
        >
          <List size="sm">
            {refused.map(({ line, message }) => (
              <List.Item key={`${line} ${message}`}>{message}</List.Item>
            ))}
          </List>
          <Text size="sm" mt="xs">
            Correct {refused.length === 1 ? 'it' : 'these lines'} and choose the file again.
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

/** Yields the bytes of a file in pieces. Not every browser can loop over a stream by itself. */
async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
