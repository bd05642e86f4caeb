import { ActionIcon, Button, Group, Select, Text, Tooltip } from '@mantine/core';
import { MAX_GROUP_DEPTH } from '@postrider/domain';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '../../../components/icons';
import { type GroupDraft, type GroupMode, type MemberDraft, newGroup, newRule } from '../../../model/segment-draft';
import classes from './builder.module.css';
import { useBuilder } from './builder-context';
import { RuleEditor } from './rule-editor';

const MODES: { value: GroupMode; label: string }[] = [
  { value: 'all', label: 'all of these' },
  { value: 'any', label: 'any of these' },
  { value: 'none', label: 'none of these' },
];

/** A group of rules and of groups inside it. */
export function GroupEditor({ group, place, depth }: { group: GroupDraft; place: string; depth: number }): ReactNode {
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
            onClick={() => remove(group.key)}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function AddButtons({ group, isRoot, depth }: { group: GroupDraft; isRoot: boolean; depth: number }): ReactNode {
  const { change } = useBuilder();
  const add = (member: MemberDraft): void => change(group.key, { ...group, members: [...group.members, member] });
  return (
    <Group gap="xs" mt="sm">
      <Button
        size="xs"
        variant={isRoot ? 'light' : 'subtle'}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add(newRule())}
      >
        Add a rule
      </Button>
      {depth < MAX_GROUP_DEPTH && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add(newGroup('any', [newRule()]))}
        >
          Add a group
        </Button>
      )}
    </Group>
  );
}
