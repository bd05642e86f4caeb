import { Autocomplete, Select, TagsInput, TextInput, Input, Group } from '@mantine/core';
import { MAX_RULE_VALUES } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import type { RuleDraft } from '../../../model/segment-draft';
import { fieldKind, type FieldKind, takesList, takesMoment } from '../../../model/segment-field';
import { MOST_OFFERED } from './field-picker';
import { type KnownFields, useKnown } from './known-fields';
import classes from './builder.module.css';
import { fromLocalInput, readAge, toLocalInput } from '../../../model/write-segment';

const PAIR = /^\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?)\s*$/;

/** A circle on the map: so many metres around a point. A pair pasted into the first field fills both. */
function PlaceValue(props: {
  place: RuleDraft['place'];
  label: string;
  error: string | undefined;
  onChange: (place: RuleDraft['place']) => void;
}): ReactNode {
  const { place, label, error, onChange } = props;
  const takeLatitude = (text: string): void => {
    const [, lat, lng] = PAIR.exec(text) ?? [];
    onChange(lat === undefined || lng === undefined ? { ...place, lat: text } : { ...place, lat, lng });
  };
  return (
    <div>
      <div className={classes.place}>
        <TextInput
          aria-label={`${label}: latitude`}
          placeholder="Latitude"
          inputMode="decimal"
          value={place.lat}
          error={error !== undefined}
          onChange={({ currentTarget }) => takeLatitude(currentTarget.value)}
        />
        <TextInput
          aria-label={`${label}: longitude`}
          placeholder="Longitude"
          inputMode="decimal"
          value={place.lng}
          error={error !== undefined}
          onChange={({ currentTarget }) => onChange({ ...place, lng: currentTarget.value })}
        />
        <TextInput
          aria-label={`${label}: radius in metres`}
          placeholder="Radius"
          inputMode="decimal"
          value={place.radius}
          error={error !== undefined}
          rightSection="m"
          onChange={({ currentTarget }) => onChange({ ...place, radius: currentTarget.value })}
        />
      </div>
      {error !== undefined && <Input.Error mt={5}>{error}</Input.Error>}
    </div>
  );
}

const PLACEHOLDERS: Partial<Record<FieldKind, string>> = {
  count: '10',
  version: '2.4.0',
  tags: 'A tag',
  deviceType: 'android',
};
const DEVICE_TYPES = ['android', 'ios', 'web'];
const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const TRUE_FALSE = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
];

interface ValueProps {
  rule: RuleDraft;
  label: string;
  error: string | undefined;
  onChange: (rule: RuleDraft) => void;
}

/** The value of a rule, asked for as its field and operator need it. */
export function ValueEditor(props: ValueProps): ReactNode {
  const { rule, label, error, onChange } = props;
  const kind = fieldKind(rule.name);
  const known = useKnown();
  const common = {
    text: rule.values[0] ?? '',
    label,
    error,
    onChange: (text: string) => onChange({ ...rule, values: [text] }),
  };
  if (kind === 'place') {
    return (
      <PlaceValue place={rule.place} label={label} error={error} onChange={(place) => onChange({ ...rule, place })} />
    );
  }
  if (kind === 'online') return <ChoiceValue {...common} choices={YES_NO} />;
  if (takesMoment(rule.operator)) return <MomentValue {...common} />;
  if (takesList(rule.operator)) return <ListValue {...props} />;
  if (rule.valueType === 'boolean') return <ChoiceValue {...common} choices={TRUE_FALSE} />;
  if (kind === 'time') return <DateValue {...common} />;
  const isNumber = kind === 'count' || rule.valueType === 'number';
  return <TextValue {...common} kind={kind} isNumber={isNumber} offered={offeredFor(rule, known)} />;
}

interface TextProps {
  text: string;
  label: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function ChoiceValue({ text, label, choices, onChange }: TextProps & { choices: typeof YES_NO }): ReactNode {
  return (
    <Select
      aria-label={label}
      data={choices}
      value={text === 'false' ? 'false' : 'true'}
      allowDeselect={false}
      onChange={(value) => onChange(value ?? 'true')}
    />
  );
}

function TextValue({
  text,
  label,
  error,
  kind,
  isNumber,
  offered,
  onChange,
}: TextProps & { kind: FieldKind; isNumber: boolean; offered: string[] }): ReactNode {
  const common = {
    'aria-label': label,
    dir: 'auto',
    placeholder: PLACEHOLDERS[kind] ?? 'Value',
    inputMode: isNumber ? 'decimal' : undefined,
    value: text,
    error,
  } as const;
  if (kind === 'count') {
    return <TextInput {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
  }
  return <Autocomplete {...common} data={offered} limit={MOST_OFFERED} onChange={onChange} />;
}

/** The values that devices have, as they are typed. */
function offeredFor({ name, valueType }: RuleDraft, known: KnownFields): string[] {
  const values = known.valuesOf(name.trim(), valueType);
  return fieldKind(name) === 'deviceType' ? [...new Set([...values, ...DEVICE_TYPES])] : values;
}

function ListValue({ rule, label, error, onChange }: ValueProps): ReactNode {
  const values = rule.values.filter((value) => value !== '');
  const known = useKnown();
  return (
    <TagsInput
      aria-label={label}
      classNames={{ inputField: classes.listInput }}
      dir="auto"
      data={offeredFor(rule, known)}
      limit={MOST_OFFERED}
      placeholder={values.length > 0 ? '' : rule.valueType === 'mixed' ? '42, "text", true' : 'Type and press Enter'}
      splitChars={rule.valueType === 'mixed' ? [] : [',', '\n', '\t']}
      maxTags={MAX_RULE_VALUES}
      value={values}
      error={error}
      onChange={(list) => onChange({ ...rule, values: list.length === 0 ? [''] : list })}
    />
  );
}

const UNITS = [
  { value: 'm', label: 'minutes ago' },
  { value: 'h', label: 'hours ago' },
  { value: 'd', label: 'days ago' },
  { value: 'date', label: 'a date' },
];

/** A moment: so long ago, or a day and time. */
function MomentValue(props: {
  text: string;
  label: string;
  error: string | undefined;
  onChange: (text: string) => void;
}): ReactNode {
  const { text, label, error, onChange } = props;
  const age = readAge(text);
  const [isDate, setDate] = useState(text !== '' && age === null);
  const unit = age?.unit ?? 'd';
  const choose = (chosen: string): void => {
    setDate(chosen === 'date');
    onChange(chosen === 'date' ? '' : `${age?.amount ?? ''}${chosen}`);
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {isDate ? (
        <TextInput
          type="datetime-local"
          aria-label={label}
          className={classes.grow}
          value={toLocalInput(text)}
          error={error}
          onChange={({ currentTarget }) => onChange(fromLocalInput(currentTarget.value))}
        />
      ) : (
        <TextInput
          inputMode="decimal"
          aria-label={label}
          placeholder="7"
          className={classes.amount}
          value={age?.amount ?? ''}
          error={error}
          onChange={({ currentTarget }) => onChange(`${currentTarget.value.replace(/[^\d.]/g, '')}${unit}`)}
        />
      )}
      <Select
        aria-label={`${label}, unit`}
        data={UNITS}
        value={isDate ? 'date' : unit}
        allowDeselect={false}
        className={isDate ? classes.unit : classes.grow}
        onChange={(chosen) => choose(chosen ?? 'd')}
      />
    </Group>
  );
}

/** A day and time alone, for operators that take no age. */
function DateValue(props: {
  text: string;
  label: string;
  error: string | undefined;
  onChange: (text: string) => void;
}): ReactNode {
  return (
    <TextInput
      type="datetime-local"
      aria-label={props.label}
      value={toLocalInput(props.text)}
      error={props.error}
      onChange={({ currentTarget }) => props.onChange(fromLocalInput(currentTarget.value))}
    />
  );
}
