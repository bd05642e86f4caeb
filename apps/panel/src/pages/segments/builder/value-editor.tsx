import { Select, TagsInput, TextInput } from '@mantine/core';
import { MAX_RULE_VALUES } from '@postrider/domain';
import type { ReactNode } from 'react';
import type { RuleDraft } from '../../../model/segment-draft';
import { fieldKind, type FieldKind, takesList, takesMoment } from '../../../model/segment-field';
import classes from './builder.module.css';
import { DateValue, MomentValue } from './moment-value';
import { PlaceValue } from './place-value';

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
  if (takesList(rule.operator)) return <ListValue {...props} kind={kind} />;
  if (rule.valueType === 'boolean') return <ChoiceValue {...common} choices={TRUE_FALSE} />;
  if (kind === 'time') return <DateValue {...common} />;
  return <TextValue {...common} kind={kind} isNumber={kind === 'count' || rule.valueType === 'number'} />;
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
  onChange,
}: TextProps & { kind: FieldKind; isNumber: boolean }): ReactNode {
  return (
    <TextInput
      aria-label={label}
      dir="auto"
      placeholder={PLACEHOLDERS[kind] ?? 'Value'}
      inputMode={isNumber ? 'decimal' : undefined}
      value={text}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function ListValue({ rule, kind, label, error, onChange }: ValueProps & { kind: FieldKind }): ReactNode {
  const values = rule.values.filter((value) => value !== '');
  return (
    <TagsInput
      aria-label={label}
      classNames={{ inputField: classes.listInput }}
      dir="auto"
      data={kind === 'deviceType' ? DEVICE_TYPES : []}
      placeholder={values.length > 0 ? '' : rule.valueType === 'mixed' ? '42, "text", true' : 'Type and press Enter'}
      splitChars={rule.valueType === 'mixed' ? [] : [',', '\n', '\t']}
      maxTags={MAX_RULE_VALUES}
      value={values}
      error={error}
      onChange={(list) => onChange({ ...rule, values: list.length === 0 ? [''] : list })}
    />
  );
}
