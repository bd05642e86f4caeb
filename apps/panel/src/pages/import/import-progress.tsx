import { Alert, Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { applicationUrl, useAppId } from '../../api/client';
import type { ImportResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatNoun } from '../../components/format';
import { IconAlertCircle } from '../../components/icons';
import { EndNotice } from '../../components/end-notice';
import { Stat, Stats } from '../../components/stat';
import { Typed } from '../../components/typed';
import { UploadBars } from '../../components/upload-bars';
import { keepFocus } from '../../components/keep-focus';
import type { ImportState } from './use-import';

interface ProgressProps {
  state: ImportState;
  /** Goes back to the choices about the file; absent: the file is not at hand. */
  onAgain?: (() => void) | undefined;
  onOther: () => void;
}

/** An import under way, or over: its progress, what happened to the devices, and the lines with errors. */
export function ImportProgress(props: ProgressProps): ReactNode {
  const { state } = props;
  const { job, error } = state;
  // The button that began it is gone, and later the one that ends it.
  useEffect(() => {
    keepFocus();
    return keepFocus;
  }, []);
  const hasEnded = error !== null || job?.status === 'done' || job?.status === 'failed';
  return (
    <Stack gap="md">
      {error !== null && <Failure error={error} />}
      {!hasEnded && <Bars state={state} />}
      {job && hasEnded && <Result job={job} />}
      {job && <Counts job={job} />}
      {job?.validation && <Validation validation={job.validation} />}
      {job && job.errors.length > 0 && <WrongLines job={job} />}
      <Group justify="flex-end">{hasEnded ? <Next {...props} /> : <Stop onStop={state.stop} />}</Group>
    </Stack>
  );
}

function Stop({ onStop }: { onStop: () => void }): ReactNode {
  return (
    <Button variant="default" onClick={onStop}>
      Stop
    </Button>
  );
}

function Next({ onAgain, onOther }: ProgressProps): ReactNode {
  return (
    <>
      {onAgain && (
        <Button variant="default" onClick={onAgain}>
          Change the choices
        </Button>
      )}
      <Button variant="default" onClick={onOther}>
        Import another file
      </Button>
    </>
  );
}

function Failure({ error }: { error: Error }): ReactNode {
  if (error instanceof DOMException) return <Text size="sm">The upload was stopped. Nothing was imported.</Text>;
  return <ErrorNotice error={error} title="The import failed" />;
}

function Bars({ state: { progress, job } }: { state: ImportState }): ReactNode {
  return (
    <UploadBars
      progress={progress}
      imported={job && { lines: job.lines, bytes: job.bytes, bytesImported: job.bytesWorked }}
      note="You can leave this page: the import continues, and the address of this page shows it again."
    />
  );
}

function Result({ job }: { job: ImportResponse }): ReactNode {
  return (
    <>
      <Ended job={job} />
      {job.missingColumns.length > 0 && <MissingColumns columns={job.missingColumns} />}
    </>
  );
}

function Ended({ job }: { job: ImportResponse }): ReactNode {
  if (job.status === 'done' && isInVain(job)) {
    return (
      <EndNotice kind="failed" title="No device was imported">
        {leftOutOf(job)}
      </EndNotice>
    );
  }
  if (job.status === 'done') {
    return (
      <EndNotice kind="done" title="The file is imported">
        New: {formatNoun(job.created, 'device')}. {leftOutOf(job)}
      </EndNotice>
    );
  }
  const isCancelled = job.reason === 'cancelled';
  return (
    <EndNotice
      kind={isCancelled ? 'stopped' : 'failed'}
      title={isCancelled ? 'The import was stopped' : 'The rest of the file cannot be read'}
    >
      {!isCancelled && <Typed text={`${job.reason ?? 'It could not be read'}.`} />} What was imported before stays.
    </EndNotice>
  );
}

/** True if the file has records, and no device of it is here. */
function isInVain({ created, updated, unchanged, skipped, failed }: ImportResponse): boolean {
  return created + updated + unchanged === 0 && skipped + failed > 0;
}

/** Says what was left out; nothing if all records were imported. */
function leftOutOf({ failed, skipped }: ImportResponse): string {
  const wrong = failed > 0 ? [`${formatNoun(failed, 'record is', 'records are')} wrong and left out.`] : [];
  const unreachable =
    skipped > 0
      ? [`${formatNoun(skipped, 'record has', 'records have')} no push token, or none of a push service here.`]
      : [];
  return [...wrong, ...unreachable].join(' ');
}

function MissingColumns({ columns }: { columns: readonly string[] }): ReactNode {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title={
        columns.length === 1 ? 'No record has a column that you chose' : 'No record has some columns that you chose'
      }
      role="alert"
    >
      <Typed text={columns.join(', ')} />. Devices were imported without the values. Correct the columns and import the
      file again.
    </Alert>
  );
}

function Counts({ job }: { job: ImportResponse }): ReactNode {
  return (
    <Stats>
      <Stat label="New devices" value={formatCount(job.created)} />
      <Stat label="Changed" value={formatCount(job.updated)} />
      <Stat label="As they were" value={formatCount(job.unchanged)} />
      <Stat label="Skipped" value={formatCount(job.skipped)} />
      <Stat label="Wrong lines" value={formatCount(job.failed)} />
      {job.incomplete > 0 && <Stat label="Without a wrong value" value={formatCount(job.incomplete)} />}
    </Stats>
  );
}

function Validation({ validation }: { validation: NonNullable<ImportResponse['validation']> }): ReactNode {
  const { valid, invalid, unanswered, lastError } = validation;
  return (
    <Stack gap="xs">
      <Stats>
        <Stat label="Tokens FCM takes" value={formatCount(valid)} />
        <Stat label="Tokens FCM refuses" value={formatCount(invalid)} />
        <Stat label="No answer" value={formatCount(unanswered)} />
      </Stats>
      {lastError !== null && (
        <Text size="sm" c="dimmed">
          Imported without an answer of FCM. The last reason: <Typed text={lastError} />
        </Text>
      )}
    </Stack>
  );
}

function WrongLines({ job }: { job: ImportResponse }): ReactNode {
  const appId = useAppId();
  const all = applicationUrl(appId, '/api/installations/import/{jobId}/errors', { path: { jobId: job.jobId } });
  const told = job.failed + job.incomplete;
  return (
    <Stack gap="xs">
      <Table aria-label="Wrong lines">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{job.errors[0]?.index === undefined ? 'Line' : 'Element'}</Table.Th>
            <Table.Th>What is wrong</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {job.errors.map(({ line, index, message }) => (
            <Table.Tr key={line ?? index}>
              <Table.Td>{line ?? index}</Table.Td>
              <Table.Td>
                <Typed text={message} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {told > job.errors.length && (
        <Anchor size="sm" href={all} download="wrong-lines.ndjson">
          All {formatNoun(told, 'wrong line')}
        </Anchor>
      )}
    </Stack>
  );
}
