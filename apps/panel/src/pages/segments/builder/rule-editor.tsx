import { ActionIcon, Select, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount, formatNoun } from '../../../components/format';
import { IconTrash } from '../../../components/icons';
import type { RuleDraft } from '../../../model/segment-draft';
import { fieldKind, type Operator, operatorsOf, sayOperator, takesList } from '../../../model/segment-field';
import { sayField } from '../../../model/say-segment';
import classes from './builder.module.css';
import { useBuilder } from './builder-context';
import { FieldPicker } from './field-picker';
import { ValueEditor } from './value-editor';

const NAME_PROBLEM = /name/i;

/** One rule: field, operator, value, and what it does to the group. */
export function RuleEditor({ rule, place }: { rule: RuleDraft; place: string }): ReactNode {
  const { change, remove, problemOf, effectOf } = useBuilder();
  const label = `Rule ${place}`;
  const problem = problemOf(rule);
  const isAboutName = problem !== undefined && NAME_PROBLEM.test(problem);
  const effect = effectOf(rule.key);
  const kind = fieldKind(rule.name);
  const take = (changed: RuleDraft): void => change(rule.key, changed);
  return (
    <li className={classes.rule} data-place={place}>
      <div className={classes.field}>
        <FieldPicker rule={rule} label={label} error={isAboutName ? problem : undefined} onChange={take} />
      </div>
      <div className={classes.operator}>
        {kind !== 'online' && (
          <Select
            aria-label={`${label}: ${sayField(rule.name) || 'attribute'} …`}
            data={operatorsOf(rule.name, rule.valueType).map((value) => ({ value, label: sayOperator(kind, value) }))}
            value={rule.operator}
            allowDeselect={false}
            onChange={(operator) => take(withOperator(rule, operator ?? rule.operator))}
          />
        )}
      </div>
      <div className={classes.value}>
        <ValueEditor rule={rule} label={`${label}: value`} error={isAboutName ? undefined : problem} onChange={take} />
      </div>
      <Tooltip label="Remove this rule">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.remove}
          aria-label={`Remove rule ${place}`}
          onClick={() => remove(rule.key)}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {effect && (
        <Text size="xs" c="dimmed" className={classes.effect}>
          Alone it matches {formatNoun(effect.alone, 'device')}.{' '}
          {effect.removes > 0
            ? `Without it there would be ${formatCount(effect.removes)} more.`
            : effect.removes < 0
              ? `Without it there would be ${formatCount(-effect.removes)} fewer.`
              : 'Without it nothing would change.'}
        </Text>
      )}
    </li>
  );
}

/** One value becomes the first of a list and back, nothing typed is lost on the way. */
function withOperator(rule: RuleDraft, operator: Operator): RuleDraft {
  return { ...rule, operator, values: takesList(operator) ? rule.values : rule.values.slice(0, 1) };
}
