import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';
import classes from './secret-once.module.css';

/** A secret that is shown this once, with a button that copies it. */
export function SecretOnce({ label, value, hint }: { label: string; value: string; hint?: string }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <div className={classes.box}>
        <code className={classes.value}>{value}</code>
        <CopyButton value={value} label={`Copy the ${label.toLowerCase()}`} />
      </div>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {hint}
        </Text>
      )}
    </div>
  );
}
