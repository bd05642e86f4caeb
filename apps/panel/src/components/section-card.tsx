import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section-card.module.css';

/** A titled part of a page, on a surface of its own. */
export function SectionCard(props: {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}): ReactNode {
  const { title, description, actions, isFlush = false, children } = props;
  const id = useId();
  return (
    <section className={`card ${classes.card ?? ''}`} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <Group justify="space-between" align="flex-start" gap="sm" className={classes.head}>
          <div>
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm" mt={2} component="div">
                {description}
              </Text>
            )}
          </div>
          {actions}
        </Group>
      )}
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
