import { Table } from '@mantine/core';
import type { MessageResponse } from '@postrider/contracts';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import type { ReactNode } from 'react';
import { formatCount } from '../../components/format';
import { sumOf } from './totals';
import { vendorName } from './words';

const COLUMNS: readonly { name: string; states: readonly DeliveryState[] }[] = [
  { name: 'Devices', states: DELIVERY_STATES },
  { name: 'Waiting', states: ['pending'] },
  { name: 'Sent', states: ['sent', 'delivered', 'shown', 'dismissed', 'opened'] },
  { name: 'Delivered', states: ['delivered', 'shown', 'dismissed', 'opened'] },
  { name: 'Opened', states: ['opened'] },
  { name: 'Failed', states: ['failed'] },
];

/** The totals of a message by the way that its devices are reached. */
export function VendorTotals({ byVendor }: Pick<MessageResponse, 'byVendor'>): ReactNode {
  return (
    <Table.ScrollContainer minWidth={460} type="native" tabIndex={0} role="region" aria-label="Totals by vendor">
      <Table verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Vendor</Table.Th>
            {COLUMNS.map(({ name }) => (
              <Table.Th key={name} ta="end">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(byVendor).map(([vendor, totals]) => (
            <Table.Tr key={vendor}>
              <Table.Td>{vendorName(vendor)}</Table.Td>
              {COLUMNS.map(({ name, states }) => (
                <Table.Td key={name} ta="end">
                  {formatCount(sumOf(totals, states))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
