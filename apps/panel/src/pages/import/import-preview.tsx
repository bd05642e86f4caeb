import { Group, Select, Stack, Table, Text } from '@mantine/core';
import { type ImportFormat, unreadColumns } from '@postrider/domain';
import type { ReactNode } from 'react';
import { Typed } from '../../components/typed';
import { type Choices, FORMATS, formatOf, MAPPED, RECOGNISED } from './import-choices';
import { type ColumnChoice, columnNames, type FilePreview, twiceChosen } from './import-file';
import classes from './import-page.module.css';

/** The possible contents of a column. */
const FIELDS = [
  { value: '', label: 'Nothing' },
  { value: 'deviceToken', label: 'Push token' },
  { value: 'userId', label: 'User id' },
  { value: 'deviceType', label: 'Device type' },
  { value: 'pushType', label: 'Vendor' },
  { value: 'locale', label: 'Language' },
  { value: 'timeZone', label: 'Time zone' },
  { value: 'osVersion', label: 'OS version' },
  { value: 'clientVersion', label: 'App version' },
  { value: 'launchTime', label: 'Last active' },
  { value: 'installDate', label: 'Installed' },
  { value: 'launchCount', label: 'Launches' },
  { value: 'tokenStatus', label: 'Token status' },
  { value: 'tags', label: 'Tag of this name' },
  { value: 'attributes', label: 'Attribute of this name' },
];

/** The first records, and above each column a choice of its content, if it can be chosen. */
export function Preview(props: {
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
      {choices.format !== MAPPED && hasNames && <Unread names={names} format={formatOf(preview, choices)} />}
      {!isTable && choices.format === MAPPED && (
        <FieldsOfKeys keys={preview.keys} choices={choices} onChange={onChange} />
      )}
      <Table.ScrollContainer minWidth={400} type="native" tabIndex={0} role="region" aria-label="Preview of the file">
        <Table aria-label="The first lines" withColumnBorders={isTable}>
          {isTable && (
            <Table.Thead>
              <Table.Tr>
                {names.map((name, place) => (
                  <Table.Th key={place} className={choices.format === MAPPED ? classes.mapped : classes.column}>
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
  const field = choices.columns[column] ?? '';
  return (
    <Select
      {...(label === undefined ? { 'aria-label': name } : { label })}
      data={FIELDS}
      allowDeselect={false}
      value={field}
      error={twiceChosen(choices.columns).has(field) && 'Chosen for two columns'}
      onChange={(chosen) => onChange({ ...choices.columns, [column]: chosen ?? '' })}
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

/** Says which columns the format does not have: they are not imported. */
function Unread({ names, format }: { names: readonly string[]; format: ImportFormat | null }): ReactNode {
  const unread = format === null ? [] : unreadColumns(format, names);
  if (unread.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      Not imported, because the format does not have {unread.length === 1 ? 'this column' : 'these columns'}:{' '}
      <Typed text={unread.join(', ')} />.
    </Text>
  );
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
