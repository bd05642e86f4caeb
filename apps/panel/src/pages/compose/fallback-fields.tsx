import { Checkbox, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { namesUsers } from '../../model/message-draft';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { TemplateField } from './template-field';

/** The SMS to users none of whose devices confirmed the message in time. */
export function FallbackFields(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { fallback } = draft;
  const change = (changes: Partial<typeof fallback>): void => patch({ fallback: { ...fallback, ...changes } });
  if (!namesUsers(draft)) {
    return (
      <Text size="sm" c="dimmed">
        An SMS in place of an unconfirmed message can be sent to named users only.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Switch
        label="SMS when nothing confirms the message in time"
        description="One SMS to each user none of whose devices reported that it arrived."
        checked={fallback.isOn}
        onChange={({ currentTarget }) => change({ isOn: currentTarget.checked })}
      />
      {fallback.isOn && (
        <div className={classes.inset}>
          <TemplateField
            label="Text of the SMS"
            isLong
            isRequired
            value={fallback.content}
            error={problemAt('fallback.content')}
            onChange={(content) => change({ content })}
          />
          <TextInput
            label="After how many seconds"
            inputMode="numeric"
            className={classes.narrow}
            value={fallback.delay}
            error={problemAt('fallback.delay')}
            onChange={({ currentTarget }) => change({ delay: currentTarget.value })}
          />
          <Checkbox
            label="Only a notification that was seen confirms, not one that merely arrived"
            checked={fallback.onlyShown}
            onChange={({ currentTarget }) => change({ onlyShown: currentTarget.checked })}
          />
        </div>
      )}
    </Stack>
  );
}
