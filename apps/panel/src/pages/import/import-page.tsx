import { Button, FileInput, Group, Select, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { IconUpload } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { EarlierImports } from './earlier-imports';
import {
  type Choices,
  FORMATS,
  isComplete,
  needsPushService,
  NOTHING,
  orderOf,
  PUSH_TYPES,
  RECOGNISED,
} from './import-choices';
import { previewOf } from './import-file';
import classes from './import-page.module.css';
import { Preview } from './import-preview';
import { ImportProgress } from './import-progress';
import { type ImportOrder, useImport } from './use-import';

/**
 * Imports devices from the file of another system: choose the file, look at it, say what its columns hold, follow the
 * import.
 */
export function ImportPage(): ReactNode {
  const state = useImport();
  const [chosen, setChosen] = useState<Chosen>(NOTHING_CHOSEN);
  const name = state.isBegun ? state.job?.name : null;
  const other = (): void => {
    setChosen(NOTHING_CHOSEN);
    state.reset();
  };
  return (
    <>
      <PageHeader
        title="Import devices"
        description="Import the devices of another system: their push tokens, users and tags."
      />
      <Stack gap="lg">
        <SectionCard title={name ? <Typed text={name} /> : undefined}>
          {state.isBegun ? (
            <ImportProgress state={state} onAgain={chosen.file === null ? undefined : state.reset} onOther={other} />
          ) : (
            <ChooseFile chosen={chosen} onChange={setChosen} onStart={state.start} />
          )}
        </SectionCard>
        {!state.isBegun && <EarlierImports />}
      </Stack>
    </>
  );
}

/** A file and the choices about it. They stay until another file is wanted: who chose wrongly chooses again. */
interface Chosen {
  file: File | null;
  choices: Choices;
}

const NOTHING_CHOSEN: Chosen = { file: null, choices: NOTHING };

function ChooseFile(props: {
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
  onStart: (order: ImportOrder) => void;
}): ReactNode {
  const { chosen, onChange, onStart } = props;
  const { file, choices } = chosen;
  const change = (changed: Partial<Choices>): void => onChange({ file, choices: { ...choices, ...changed } });
  const preview = useQuery({
    queryKey: ['import preview', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file === null ? null : previewOf(file)),
    enabled: file !== null,
    retry: false,
  });
  const isReady = file !== null && !!preview.data && isComplete(preview.data, choices);
  return (
    <Stack gap="md">
      <FileInput
        label="File"
        description="CSV, NDJSON or JSON in UTF-8, plain or compressed by gzip (.gz)."
        placeholder="Choose a file"
        accept=".csv,.txt,.json,.ndjson,.jsonl,.gz"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        leftSection={<IconUpload size={16} aria-hidden />}
        value={file}
        error={preview.error && `The file cannot be read: ${preview.error.message}`}
        onChange={(picked) => onChange({ file: picked, choices: { ...choices, columns: {} } })}
      />
      <Group align="flex-end">
        <Select
          label="What it is"
          className={classes.choice}
          data={FORMATS}
          allowDeselect={false}
          value={choices.format}
          onChange={(format) => change({ format: format ?? RECOGNISED })}
        />
        <PushService
          isNeeded={!!preview.data && needsPushService(preview.data, choices)}
          value={choices.pushType}
          onChange={(pushType) => change({ pushType })}
        />
        <Switch
          label="The first line names the columns"
          checked={choices.hasHeader}
          onChange={({ currentTarget }) => change({ hasHeader: currentTarget.checked, columns: {} })}
        />
      </Group>
      <Switch
        label="Ask FCM about each of its tokens first"
        description="No message is shown on any device. Tokens that FCM refuses are left out. About 100 tokens per second."
        checked={choices.validates}
        onChange={({ currentTarget }) => change({ validates: currentTarget.checked })}
      />
      {preview.data && <Preview preview={preview.data} choices={choices} onChange={(columns) => change({ columns })} />}
      <Group justify="flex-end">
        <Button
          disabled={!isReady}
          onClick={() => file && preview.data && onStart(orderOf(file, preview.data, choices))}
        >
          Import
        </Button>
      </Group>
    </Stack>
  );
}

/** The vendor of all tokens. @param isNeeded true if nothing in the file says it */
function PushService(props: {
  isNeeded: boolean;
  value: string | null;
  onChange: (pushType: string | null) => void;
}): ReactNode {
  const { isNeeded, value, onChange } = props;
  return (
    <Select
      label="Vendor"
      className={classes.choice}
      description={isNeeded ? 'The file does not say whose tokens it has' : 'If the file does not name one'}
      placeholder={isNeeded ? 'Choose one' : 'The file says it'}
      required={isNeeded}
      data={PUSH_TYPES}
      clearable
      value={value}
      onChange={onChange}
    />
  );
}
