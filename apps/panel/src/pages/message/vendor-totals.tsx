import { Table } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import type { ReactNode } from 'react';
import type { MessageResponse } from '../../api/generated/document';
import { formatCount } from '../../components/format';
import { sumOf } from './totals';
import { vendorName } from './words';

/** A column that says nothing where nothing is in it is left out there. */
const COLUMNS: readonly { name: string; states: readonly DeliveryState[]; isForSome?: boolean }[] = [
  { name: 'Devices', states: DELIVERY_STATES },
  { name: 'Waiting', states: ['pending'], isForSome: true },
  { name: 'Sent', states: ['sent', 'delivered', 'shown', 'dismissed', 'opened'] },
  { name: 'Delivered', states: ['delivered', 'shown', 'dismissed', 'opened'] },
  { name: 'Opened', states: ['opened'] },
  { name: 'Failed', states: ['failed'], isForSome: true },
  { name: 'Not sent', states: ['expired', 'skipped', 'cancelled'], isForSome: true },
];

/** The totals of a message by the way that its devices are reached. */
export function VendorTotals({ byVendor }: Pick<MessageResponse, 'byVendor'>): ReactNode {
  const columns = COLUMNS.filter(
    ({ states, isForSome }) => !isForSome || Object.values(byVendor).some((totals) => sumOf(totals, states) > 0),
  );
  return (
    <Table.ScrollContainer
      minWidth={columns.length * 58}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Totals by vendor"
    >
      <Table verticalSpacing={7} horizontalSpacing={5} fz={{ base: 'xs', sm: 'sm' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Vendor</Table.Th>
            {columns.map(({ name }) => (
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
              {columns.map(({ name, states }) => (
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
