import { Table } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import type { ReactNode } from 'react';
import type { MessageResponse } from '../../api/generated/document';
import { formatCount, formatShare } from '../../components/format';
import { StateBadge } from '../../components/state-badge';
import classes from './message-page.module.css';
import { STATE_MEANING } from './words';

/** How many devices are in each state, and that they add up. A state leads to its devices. */
export function StateTotals(props: { message: MessageResponse; onState: (state: DeliveryState) => void }): ReactNode {
  const { message, onState } = props;
  const { totals, recipients } = message;
  const present = DELIVERY_STATES.filter((state) => totals[state] > 0);
  return (
    <Table.ScrollContainer minWidth={300} type="native" tabIndex={0} role="region" aria-label="Totals by state">
      <Table verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>State</Table.Th>
            <Table.Th className={classes.wide}>Means</Table.Th>
            <Table.Th ta="end">Devices</Table.Th>
            <Table.Th ta="end">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {present.map((state) => (
            <Table.Tr key={state}>
              <Table.Td>
                <button type="button" className={classes.state} onClick={() => onState(state)}>
                  <StateBadge state={state} />
                </button>
              </Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                {STATE_MEANING[state]}
              </Table.Td>
              <Table.Td ta="end">{formatCount(totals[state])}</Table.Td>
              <Table.Td ta="end">{formatShare(totals[state], recipients)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">All recipients</Table.Th>
            <Table.Td className={classes.wide} />
            <Table.Th ta="end">{formatCount(recipients)}</Table.Th>
            <Table.Th ta="end">{recipients === 0 ? '–' : '100 %'}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
