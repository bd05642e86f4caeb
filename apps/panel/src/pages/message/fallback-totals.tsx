import { Table } from '@mantine/core';
import type { FallbackState } from '@postrider/domain';
import type { ReactNode } from 'react';
import type { MessageResponse } from '../../api/generated/document';
import { formatCount } from '../../components/format';
import { StateBadge } from '../../components/state-badge';

const MEANING: Record<FallbackState, string> = {
  waiting: 'a device may still confirm; the SMS is not due',
  sending: 'is being sent',
  sent: 'the provider took it',
  delivered: 'arrived on the phone',
  undelivered: 'the provider could not deliver it',
  unknown: 'the provider gave no answer; it is not sent again',
  confirmed: 'not needed: a device confirmed the message',
  failed: 'the provider refused it',
  no_phone: 'there is no phone number',
  expired: 'the message was over before the SMS was due',
  cancelled: 'the message was cancelled first',
};

/** The SMS that were sent in place of a message, one a user. */
export function FallbackTotals({ fallback }: Pick<MessageResponse, 'fallback'>): ReactNode {
  const found = (Object.entries(fallback) as [FallbackState, number][]).filter(([, count]) => count > 0);
  return (
    <Table verticalSpacing={7}>
      <Table.Tbody>
        {found.map(([state, count]) => (
          <Table.Tr key={state}>
            <Table.Td>
              <StateBadge state={state} />
            </Table.Td>
            <Table.Td c="dimmed">{MEANING[state]}</Table.Td>
            <Table.Td ta="end">{formatCount(count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
