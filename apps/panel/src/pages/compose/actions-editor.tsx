import { ActionIcon, Button, Checkbox, Group, Input, Stack, TextInput, Tooltip } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { IconPlus, IconTrash } from '../../components/icons';
import type { ActionDraft } from '../../model/message-draft';
import { newKey } from '../../model/segment-draft';
import { ADDS, removeAndFocus } from '../../components/keep-focus';
import classes from './compose.module.css';
import { useCompose } from './compose-context';

/** iOS shows four buttons, Android three, most browsers two. */
const MOST = 4;

/** The bit flags of a button's behaviour on iOS. */
const FLAGS = [
  { flag: 4, label: 'Opens the app' },
  { flag: 1, label: 'Requires unlocking' },
  { flag: 2, label: 'Destructive (red)' },
];

/** The buttons under the notification. */
export function ActionsEditor(props: {
  actions: ActionDraft[];
  description?: string;
  onChange: (actions: ActionDraft[]) => void;
}): ReactNode {
  const { actions, description, onChange } = props;
  const id = useId();
  const [added, setAdded] = useState<string | null>(null);
  const add = (): void => {
    const key = newKey();
    setAdded(key);
    onChange([...actions, { key, id: '', title: '', url: '', icon: '', options: 0 }]);
  };
  const change = (changed: ActionDraft): void =>
    onChange(actions.map((action) => (action.key === changed.key ? changed : action)));
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div">
        Buttons
      </Input.Label>
      <Input.Description mb={6}>
        {description ?? 'iOS shows up to four, Android three, most browsers two.'}
      </Input.Description>
      <Stack gap="sm">
        {actions.map((action, index) => (
          <ActionEditor
            key={action.key}
            action={action}
            name={`Button ${index + 1}`}
            isNew={action.key === added}
            onChange={change}
            onRemove={() => onChange(actions.filter(({ key }) => key !== action.key))}
          />
        ))}
        {actions.length < MOST && (
          <div>
            <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} onClick={add} {...ADDS}>
              Add a button
            </Button>
          </div>
        )}
      </Stack>
    </div>
  );
}

function ActionEditor(props: {
  action: ActionDraft;
  name: string;
  /** It was just added, so it gets the focus. */
  isNew: boolean;
  onChange: (action: ActionDraft) => void;
  onRemove: () => void;
}): ReactNode {
  const { action, name, isNew, onChange, onRemove } = props;
  const { problemAt } = useCompose();
  const field = `action.${action.key}`;
  return (
    <div className={classes.action} role="group" aria-label={name}>
      <div className={classes.actionFields}>
        <TextInput
          label="Text"
          autoFocus={isNew}
          value={action.title}
          error={problemAt(`${field}.title`)}
          onChange={({ currentTarget }) => onChange({ ...action, title: currentTarget.value })}
        />
        <TextInput
          label="Link"
          placeholder="https://… or app://…"
          value={action.url}
          error={problemAt(`${field}.url`) ?? problemAt(`${field}.more`)}
          onChange={({ currentTarget }) => onChange({ ...action, url: currentTarget.value })}
        />
        <TextInput
          label="Id"
          placeholder={action.title.trim() || 'same as the text'}
          value={action.id}
          onChange={({ currentTarget }) => onChange({ ...action, id: currentTarget.value })}
        />
        <Tooltip label="Remove this button">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={classes.actionRemove}
            aria-label={`Remove ${name.toLowerCase()}`}
            onClick={(event) => removeAndFocus(event, onRemove)}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <OnIos action={action} onChange={onChange} />
    </div>
  );
}

function OnIos({ action, onChange }: { action: ActionDraft; onChange: (action: ActionDraft) => void }): ReactNode {
  return (
    <Group gap="lg" mt="xs">
      <Input.Description component="span">On iOS:</Input.Description>
      {FLAGS.map(({ flag, label }) => (
        <Checkbox
          key={flag}
          size="xs"
          label={label}
          checked={(action.options & flag) !== 0}
          onChange={({ currentTarget }) =>
            onChange({ ...action, options: currentTarget.checked ? action.options | flag : action.options & ~flag })
          }
        />
      ))}
    </Group>
  );
}
