import { Button, FileInput, Group, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice';
import { IconUpload } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type ColumnChoice, columnNames, type FilePreview, mappingOf, previewOf } from './import-file';
import { ImportProgress } from './import-progress';
import classes from './import-page.module.css';
import { type ImportOrder, useImport } from './use-import';

/**
 * Imports devices from the file of another system: choose the file, look at it, say what its columns hold, follow the
 * import.
 */
export function ImportPage(): ReactNode {
  const state = useImport();
  return (
    <>
      <PageHeader
        title="Import devices"
        description="Import the devices of another system: their push tokens, users and tags."
      />
      <SectionCard>
        {state.isBegun ? <ImportProgress state={state} /> : <ChooseFile onStart={state.start} />}
      </SectionCard>
    </>
  );
}

/** The choices about a file. */
interface Choices {
  format: string;
  pushType: string | null;
  hasHeader: boolean;
  validates: boolean;
  columns: ColumnChoice;
}

const RECOGNISED = 'recognise';
const MAPPED = 'mapping';
const NOTHING: Choices = { format: RECOGNISED, pushType: null, hasHeader: true, validates: false, columns: {} };

const FORMATS = [
  { value: RECOGNISED, label: 'Recognise it' },
  { value: 'onesignal', label: 'OneSignal export' },
  { value: 'parse', label: 'Parse Server _Installation' },
  { value: 'sns', label: 'Amazon SNS endpoints' },
  { value: 'pinpoint', label: 'Amazon Pinpoint endpoints' },
  { value: 'webpush', label: 'Web Push subscriptions' },
  { value: 'tokens', label: 'A list of tokens' },
  { value: MAPPED, label: 'Other: choose what each column contains' },
];

const PUSH_TYPES = [
  { value: 'fcm', label: 'Firebase (FCM)' },
  { value: 'apns', label: 'Apple (APNs)' },
  { value: 'hms', label: 'Huawei (HMS)' },
  { value: 'webpush', label: 'Web Push' },
];

function ChooseFile({ onStart }: { onStart: (order: ImportOrder) => void }): ReactNode {
  const [file, setFile] = useState<File | null>(null);
  const [choices, setChoices] = useState<Choices>(NOTHING);
  const change = (changed: Partial<Choices>): void => setChoices({ ...choices, ...changed });
  const preview = useQuery({
    queryKey: ['import preview', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file === null ? null : previewOf(file)),
    enabled: file !== null,
  });
  const isMapped = choices.format === MAPPED;
  const mapping = isMapped ? mappingOf(choices.columns) : null;
  const isChosen = !isMapped || (mapping !== null && 'deviceToken' in mapping);
  const isReady = file !== null && isChosen && !hasUnknownColumns(preview.data, choices);
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
        onChange={(chosen) => {
          setFile(chosen);
          change({ columns: {} });
        }}
      />
      <Group align="flex-end">
        <Select
          label="What it is"
          data={FORMATS}
          allowDeselect={false}
          value={choices.format}
          onChange={(format) => change({ format: format ?? RECOGNISED })}
        />
        <Select
          label="Push service"
          description="Vendor, if the file does not name one"
          placeholder="The file says it"
          data={PUSH_TYPES}
          clearable
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
      {preview.error && <ErrorNotice error={preview.error} title="The file cannot be read" />}
      {preview.data && <Preview preview={preview.data} choices={choices} onChange={(columns) => change({ columns })} />}
      <Group justify="flex-end">
        <Button
          disabled={!isReady || !preview.data}
          onClick={() => file && preview.data && onStart(orderOf(file, preview.data, choices, mapping))}
        >
          Import
        </Button>
      </Group>
    </Stack>
  );
}

/** True if the gateway would refuse a table: somebody has to say what its columns contain. */
function hasUnknownColumns(preview: FilePreview | null | undefined, { format, hasHeader }: Choices): boolean {
  const isTable = preview?.kind.contentType === 'text/csv';
  return format === RECOGNISED && hasHeader && isTable && preview.format === null;
}

function orderOf(
  file: File,
  { kind }: FilePreview,
  { format, pushType, hasHeader, validates }: Choices,
  mapping: Record<string, string> | null,
): ImportOrder {
  const query = {
    ...(format === RECOGNISED || format === MAPPED ? {} : { format }),
    ...(pushType === null ? {} : { pushType }),
    ...(hasHeader ? {} : { header: 'false' }),
    ...(validates ? { validate: 'true' } : {}),
    ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
  };
  return { file, kind, query };
}

/** The possible contents of a column. */
const FIELDS = [
  { value: '', label: 'Nothing' },
  { value: 'deviceToken', label: 'Push token' },
  { value: 'userId', label: 'User id' },
  { value: 'deviceType', label: 'Device type' },
  { value: 'pushType', label: 'Push service' },
  { value: 'locale', label: 'Language' },
  { value: 'timeZone', label: 'Time zone' },
  { value: 'osVersion', label: 'OS version' },
  { value: 'clientVersion', label: 'App version' },
  { value: 'launchTime', label: 'Last active' },
  { value: 'installDate', label: 'Installed' },
  { value: 'launchCount', label: 'Launches' },
  { value: 'tokenStatus', label: 'Token status' },
  { value: 'tags', label: 'Tag of the column’s name' },
  { value: 'attributes', label: 'Attribute of the column’s name' },
];

/** The first records, and above each column a choice of its content, if it can be chosen. */
function Preview(props: {
  preview: FilePreview;
  choices: Choices;
  onChange: (columns: ColumnChoice) => void;
}): ReactNode {
  const { preview, choices, onChange } = props;
  const { records, kind } = preview;
  if (records.length === 0) return <Text size="sm">The file is empty.</Text>;
  const isTable = kind.contentType === 'text/csv';
  const hasNames = isTable && choices.hasHeader && !isUnnamed(preview, choices);
  const names = columnNames(records[0], hasNames);
  const shown = hasNames ? records.slice(1) : records;
  return (
    <Stack gap="xs">
      {choices.format === RECOGNISED && <Recognised preview={preview} />}
      {!isTable && choices.format === MAPPED && (
        <FieldsOfKeys keys={preview.keys} choices={choices} onChange={onChange} />
      )}
      <Table.ScrollContainer minWidth={400} type="native" tabIndex={0} role="region" aria-label="Preview of the file">
        <Table aria-label="The first lines" withColumnBorders={isTable}>
          {isTable && (
            <Table.Thead>
              <Table.Tr>
                {names.map((name, place) => (
                  <Table.Th key={place} className={classes.column}>
                    <span className={classes.name}>{hasNames ? <Typed text={name} /> : `Column ${name}`}</span>
                    {choices.format === MAPPED && <FieldOfColumn column={name} choices={choices} onChange={onChange} />}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
          )}
          <Table.Tbody>
            {shown.map((record, row) => (
              <Table.Tr key={row}>
                {record.map((cell, place) => (
                  <Table.Td key={place}>
                    <Typed text={cell} lines={2} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

interface FieldProps {
  choices: Choices;
  onChange: (columns: ColumnChoice) => void;
}

/** A choice of what one column, or one key of the objects in JSON, contains. */
function FieldOfColumn(props: FieldProps & { column: string; label?: string }): ReactNode {
  const { column, label, choices, onChange } = props;
  const name = `What column ${column} holds`;
  return (
    <Select
      {...(label === undefined ? { 'aria-label': name } : { label })}
      data={FIELDS}
      allowDeselect={false}
      value={choices.columns[column] ?? ''}
      onChange={(field) => onChange({ ...choices.columns, [column]: field ?? '' })}
    />
  );
}

/** The choices for the keys of the objects in JSON. */
function FieldsOfKeys({ keys, choices, onChange }: FieldProps & { keys: readonly string[] }): ReactNode {
  if (keys.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No first object is found in the file, so what its fields contain cannot be chosen.
      </Text>
    );
  return (
    <Group align="flex-end">
      {keys.map((key) => (
        <FieldOfColumn
          key={key}
          column={key}
          label={key === '' ? 'Key without a name' : `Key ${key}`}
          choices={choices}
          onChange={onChange}
        />
      ))}
    </Group>
  );
}

/**
 * True if the first line is a token already, even if the person says that there is a header: the gateway reads it so.
 */
function isUnnamed({ isBareList }: FilePreview, { format }: Choices): boolean {
  return isBareList && format !== MAPPED;
}

/** Says which format the gateway will recognise. */
function Recognised({ preview: { format } }: { preview: FilePreview }): ReactNode {
  const known = FORMATS.find(({ value }) => value === format);
  return (
    <Text size="sm" c="dimmed">
      {known === undefined
        ? 'The columns have no known format. Choose under “What it is” what they contain.'
        : `Recognised: ${known.label}.`}
    </Text>
  );
}
