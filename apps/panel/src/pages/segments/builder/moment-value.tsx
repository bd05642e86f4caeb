import { Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fromLocalInput, readAge, toLocalInput } from '../../../model/moment-input';
import classes from './builder.module.css';

const UNITS = [
  { value: 'm', label: 'minutes ago' },
  { value: 'h', label: 'hours ago' },
  { value: 'd', label: 'days ago' },
  { value: 'date', label: 'a date' },
];

/** A moment: so long ago, or a day and time. */
export function MomentValue(props: {
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
export function DateValue(props: {
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
