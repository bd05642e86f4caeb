import { Autocomplete, Select, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RuleDraft, withField, withValueType } from '../../../model/segment-draft';
import { BUILT_IN_FIELDS, fieldKind, hasValueType, type ValueType } from '../../../model/segment-field';
import { useKnown } from './known-fields';

/** Longer lists are found in by typing. */
export const MOST_OFFERED = 50;

const ATTRIBUTE = 'attribute:';
const TAG_VALUE = 'tag value:';
const FIELDS = [
  { group: 'Every device', items: BUILT_IN_FIELDS.map(({ name, label }) => ({ value: name, label })) },
  {
    group: 'Yours',
    items: [
      { value: ATTRIBUTE, label: 'Attribute…' },
      { value: TAG_VALUE, label: 'Value of a tag…' },
    ],
  },
];
const TYPES: { value: ValueType; label: string }[] = [
  { value: 'text', label: 'as text' },
  { value: 'number', label: 'as a number' },
  { value: 'boolean', label: 'as true or false' },
  { value: 'mixed', label: 'as mixed values' },
];

/** Which field a rule is about; of an attribute its name and how its value is read. */
export function FieldPicker(props: {
  rule: RuleDraft;
  label: string;
  /** True if it was just added: the keyboard focus goes here. */
  isNew: boolean;
  error: string | undefined;
  onChange: (rule: RuleDraft) => void;
}): ReactNode {
  const { rule, label, isNew, error, onChange } = props;
  const kind = fieldKind(rule.name);
  const known = useKnown();
  // A name that devices have is read as its values are.
  const take = (typed: string): void => {
    const name = kind === 'tagValue' ? `tags.${typed}` : asAttribute(typed);
    const type = known.typeOf(name);
    onChange({ ...(type === null || type === rule.valueType ? rule : withValueType(rule, type)), name });
  };
  const choose = (chosen: string): void => {
    if (chosen === ATTRIBUTE) onChange(withField(rule, ''));
    else onChange(withField(rule, chosen === TAG_VALUE ? 'tags.' : chosen));
  };
  return (
    <Stack gap={6}>
      <Select
        aria-label={`${label}: field`}
        data={FIELDS}
        value={kind === 'tagValue' ? TAG_VALUE : kind === 'custom' ? ATTRIBUTE : rule.name}
        allowDeselect={false}
        searchable
        nothingFoundMessage="Choose “Attribute…” for your own field"
        onChange={(chosen) => choose(chosen ?? 'tags')}
        autoFocus={isNew}
        openOnFocus={false}
        // What is typed replaces the name, however the focus came here.
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {hasValueType(kind) && (
        <>
          <Autocomplete
            aria-label={`${label}: ${kind === 'tagValue' ? 'tag' : 'attribute'}`}
            placeholder={kind === 'tagValue' ? 'plan' : 'purchase.count'}
            dir="auto"
            data={kind === 'tagValue' ? known.tags : known.attributes}
            limit={MOST_OFFERED}
            value={kind === 'tagValue' ? rule.name.slice('tags.'.length) : rule.name}
            error={error}
            onChange={take}
          />
          <Select
            aria-label={`${label}: type of the value`}
            size="xs"
            data={TYPES}
            value={rule.valueType}
            allowDeselect={false}
            onChange={(type) => onChange(withValueType(rule, type ?? 'text'))}
          />
        </>
      )}
    </Stack>
  );
}

/** While `tags` is being typed on the way to `tagsSeen` it is no built-in field: a space behind it keeps it an attribute. */
function asAttribute(text: string): string {
  return fieldKind(text) === 'custom' ? text : `${text} `;
}
