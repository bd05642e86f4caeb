import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount, formatNoun } from '../../components/format';
import { readTypedUsers } from '../../model/message-draft';
import { smsParts } from '../../model/sms-parts';
import { isPersonal } from '../../model/template-variables';
import { useCompose } from './compose-context';

/** The most SMS that the fallback of a message may send, and their parts. Only the provider knows the price of a part. */
export function Costs(): ReactNode {
  const { draft, fileUsers } = useCompose();
  const { audience, fallback, languages } = draft;
  const users = audience.kind === 'file' ? (fileUsers?.length ?? 0) : readTypedUsers(audience.users).length;
  const texts = [fallback.content, ...languages.map(({ sms }) => sms).filter((sms) => sms !== '')];
  return (
    <Text size="sm">
      At most {formatCount(users)} SMS: one for each user whose devices do not confirm the message within{' '}
      {formatNoun(Number(fallback.delay), 'second')}. {sayParts(texts, users)}
    </Text>
  );
}

/** @param texts of the SMS, in each language */
function sayParts(texts: readonly string[], users: number): string {
  if (texts.some(isPersonal)) {
    return 'The text is personal, and a long one is sent in several parts, which are charged one by one.';
  }
  const all = texts.map(smsParts);
  const most = Math.max(...all);
  if (most === 1) return 'Each is sent in one part.';
  const each = `${Math.min(...all) < most ? 'up to ' : ''}${formatNoun(most, 'part')}`;
  return `Each is sent in ${each}, which are charged one by one: at most ${formatNoun(most * users, 'part')}.`;
}
