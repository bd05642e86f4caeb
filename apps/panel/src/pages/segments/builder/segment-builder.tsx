import { type ReactNode, useMemo, createContext, use, useState } from 'react';
import type { RuleEffectResponse } from '@postrider/server/document';
import {
  type GroupDraft,
  replaceMember,
  type MemberDraft,
  type RuleDraft,
  type GroupMode,
  newGroup,
  newRule,
} from '../../../model/segment-draft';
import { keyOfPath, type WrittenSegment } from '../../../model/write-segment';
import { ActionIcon, Button, Group, Select, Text, Tooltip } from '@mantine/core';
import { MAX_GROUP_DEPTH } from '@postrider/domain';
import { IconPlus, IconTrash } from '../../../components/icons';
import { ADDS, removeAndFocus } from '../../../components/keep-focus';
import classes from './builder.module.css';
import { formatCount, formatNoun } from '../../../components/format';
import { fieldKind, type Operator, operatorsOf, sayOperator, takesList } from '../../../model/segment-field';
import { sayField } from '../../../model/say-segment';
import { FieldPicker } from './field-picker';
import { KnownContext, useKnownFields } from './known-fields';
import { ValueEditor } from './value-editor';

/** Everything a segment can say, as rows of choices: rules, and groups inside groups. */
export function SegmentBuilder(props: {
  segment: GroupDraft;
  written: WrittenSegment;
  /** True if unfinished parts are marked, also if nothing was typed yet. */
  marksAll?: boolean;
  effects?: readonly RuleEffectResponse[];
  onChange: (segment: GroupDraft) => void;
}): ReactNode {
  const { segment, written, marksAll = false, effects, onChange } = props;
  const known = useKnownFields(segment.members.length > 0);
  const [addedRule, setAddedRule] = useState<string | null>(null);
  const builder = useMemo<Builder>(() => {
    const effectByKey = new Map(effects?.map((effect) => [keyOfPath(written.keys, effect.path), effect]));
    return {
      change: (key, member) => onChange(replaceMember(segment, key, member)),
      add: (group, member) => {
        setAddedRule(firstRuleOf(member)?.key ?? null);
        onChange(replaceMember(segment, group.key, { ...group, members: [...group.members, member] }));
      },
      addedRule,
      remove: (key) => onChange(replaceMember(segment, key, null)),
      problemOf: (member) => {
        const isEmptyRoot = member.key === segment.key && segment.members.length === 0;
        const isTime = marksAll || member.kind === 'group' || isBegun(member);
        return isTime && !isEmptyRoot ? written.problems.get(member.key) : undefined;
      },
      effectOf: (key) => effectByKey.get(key),
    };
  }, [segment, written, marksAll, effects, addedRule, onChange]);
  return (
    <BuilderContext value={builder}>
      <KnownContext value={known}>
        <GroupEditor group={segment} place="" depth={1} />
      </KnownContext>
    </BuilderContext>
  );
}

/** The shared state of a segment builder's parts. */
interface Builder {
  change: (key: string, member: MemberDraft) => void;
  /** Puts a member behind those of a group; its first rule gets the focus. */
  add: (group: GroupDraft, member: MemberDraft) => void;
  /** The key of the rule that was added last. */
  addedRule: string | null;
  remove: (key: string) => void;
  /** Returns the problem of a rule or group, when it is time to show it. */
  problemOf: (member: MemberDraft) => string | undefined;
  /** Returns the effect of a rule on the group, if it was asked. */
  effectOf: (key: string) => RuleEffectResponse | undefined;
}

const BuilderContext = createContext<Builder | null>(null);

/** The builder around a part. */
function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('This part belongs to a segment builder');
  return builder;
}

function firstRuleOf(member: MemberDraft): RuleDraft | undefined {
  return member.kind === 'rule' ? member : member.members.map(firstRuleOf).find((rule) => rule !== undefined);
}

/** True if anything was given as the value of a rule. */
function isBegun(rule: RuleDraft): boolean {
  return rule.values.some((text) => text.trim() !== '') || rule.place.lat !== '' || rule.place.lng !== '';
}

const MODES: { value: GroupMode; label: string }[] = [
  { value: 'all', label: 'all of these' },
  { value: 'any', label: 'any of these' },
  { value: 'none', label: 'none of these' },
];

/** A group of rules and of groups inside it. */
function GroupEditor({ group, place, depth }: { group: GroupDraft; place: string; depth: number }): ReactNode {
  const { problemOf } = useBuilder();
  const problem = problemOf(group);
  const name = place === '' ? 'The segment' : `Group ${place}`;
  return (
    <div role="group" aria-label={name} className={classes.group} data-depth={depth} data-mode={group.mode}>
      <GroupHead group={group} place={place} name={name} />
      {group.members.length > 0 && (
        <ul className={classes.members}>
          {group.members.map((member, index) => {
            const at = place === '' ? `${index + 1}` : `${place}.${index + 1}`;
            if (member.kind === 'rule') return <RuleEditor key={member.key} rule={member} place={at} />;
            return (
              <li key={member.key}>
                <GroupEditor group={member} place={at} depth={depth + 1} />
              </li>
            );
          })}
        </ul>
      )}
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={6}>
          {problem}
        </Text>
      )}
      <AddButtons group={group} isRoot={place === ''} depth={depth} />
    </div>
  );
}

function GroupHead({ group, place, name }: { group: GroupDraft; place: string; name: string }): ReactNode {
  const { change, remove } = useBuilder();
  return (
    <Group gap="xs" wrap="nowrap" className={classes.groupHead}>
      <Text size="sm" fw={600} className={classes.matches}>
        {place === '' ? 'Devices that match' : 'Match'}
      </Text>
      <Select
        size="xs"
        aria-label={`${name} matches`}
        className={classes.mode}
        data={MODES}
        value={group.mode}
        allowDeselect={false}
        onChange={(mode) => change(group.key, { ...group, mode: mode ?? 'all' })}
      />
      {place !== '' && (
        <Tooltip label="Remove this group">
          <ActionIcon
            variant="subtle"
            color="gray"
            ms="auto"
            aria-label={`Remove group ${place}`}
            onClick={(event) => removeAndFocus(event, () => remove(group.key))}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function AddButtons({ group, isRoot, depth }: { group: GroupDraft; isRoot: boolean; depth: number }): ReactNode {
  const { add } = useBuilder();
  return (
    <Group gap="xs" mt="sm">
      <Button
        size="xs"
        variant={isRoot ? 'light' : 'subtle'}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add(group, newRule())}
        {...ADDS}
      >
        Add a rule
      </Button>
      {depth < MAX_GROUP_DEPTH && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add(group, newGroup('any', [newRule()]))}
        >
          Add a group
        </Button>
      )}
    </Group>
  );
}

const NAME_PROBLEM = /name/i;

/** One rule: field, operator, value, and its effect on the group. */
function RuleEditor({ rule, place }: { rule: RuleDraft; place: string }): ReactNode {
  const { change, remove, problemOf, effectOf, addedRule } = useBuilder();
  const label = `Rule ${place}`;
  const problem = problemOf(rule);
  const isAboutName = problem !== undefined && NAME_PROBLEM.test(problem);
  const effect = effectOf(rule.key);
  const kind = fieldKind(rule.name);
  const take = (changed: RuleDraft): void => change(rule.key, changed);
  return (
    <li className={classes.rule} data-place={place}>
      <div className={classes.field}>
        <FieldPicker
          rule={rule}
          label={label}
          isNew={rule.key === addedRule}
          error={isAboutName ? problem : undefined}
          onChange={take}
        />
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
          onClick={(event) => removeAndFocus(event, () => remove(rule.key))}
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

/** One value becomes the first of a list and back, so that nothing typed is lost. */
function withOperator(rule: RuleDraft, operator: Operator): RuleDraft {
  return { ...rule, operator, values: takesList(operator) ? rule.values : rule.values.slice(0, 1) };
}
