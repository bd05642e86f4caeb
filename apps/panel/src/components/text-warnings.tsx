import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { Typed } from './typed';

/** Names of fields as forms show them; others are shown as in the API. */
const FIELD_NAMES: Record<string, string> = {
  content: 'Text',
  alertText: 'Text of the notification',
  'notification.title': 'Title',
  'notification.body': 'Text of the notification',
  'notification.clickUrl': 'Link',
  'fallback.content': 'Text of the SMS',
  'fallback.delay': 'Delay of the SMS',
};

/** Probable mistakes in a message that can be sent all the same. Nothing is shown if there are none. */
export function TextWarnings(props: {
  warnings: readonly { path: string; message: string }[];
  /** The name of a place that is not a field of a message. Undefined: it is one. */
  nameOf?: (path: string) => string | undefined;
}): ReactNode {
  const { warnings, nameOf } = props;
  if (warnings.length === 0) return null;
  return (
    <Alert color="amber" variant="light" role="status" title="This may not do what you mean">
      <List size="sm">
        {warnings.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <Typed text={`${nameOf?.(path) ?? fieldName(path)} ${message}`} />.
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function fieldName(path: string): string {
  const [, language, field = path] = /^localized\.([^.]+)\.(.+)$/.exec(path) ?? [];
  const variable = /^variables\.(.+)$/.exec(field)?.[1];
  const name = variable === undefined ? (FIELD_NAMES[field] ?? field) : `The variable ${variable}`;
  return language === undefined ? name : `${name} (${language})`;
}
