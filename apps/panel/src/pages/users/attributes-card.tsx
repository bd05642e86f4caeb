import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UserResponse } from '../../api/generated/document';
import { Fact } from '../../components/fact';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import classes from './users.module.css';

const MOST_SHOWN = 500;

/** What is known about a user, by name. */
export function AttributesCard({ user }: { user: UserResponse }): ReactNode {
  const attributes = Object.entries(user.attributes).sort(([one], [other]) => one.localeCompare(other));
  return (
    <SectionCard title="Attributes" description="Known about the user, for segments and personal texts.">
      {attributes.length === 0 ? (
        <Text size="sm" c="dimmed">
          No attributes yet.
        </Text>
      ) : (
        <dl className={classes.facts}>
          {attributes.slice(0, MOST_SHOWN).map(([name, value]) => (
            <TypedFact key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
          ))}
        </dl>
      )}
      {attributes.length > MOST_SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          The first {MOST_SHOWN} of {attributes.length}; the export holds all of them.
        </Text>
      )}
    </SectionCard>
  );
}

/** One thing that is known, as somebody typed it. */
export function TypedFact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <Fact name={<Typed text={name} />}>
      <Typed text={value} lines={6} />
    </Fact>
  );
}
