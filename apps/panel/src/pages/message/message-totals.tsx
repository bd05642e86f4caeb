import type { ReactNode } from 'react';
import type { MessageResponse } from '@postrider/server/document';
import { formatCount, formatShare } from '../../components/format';
import classes from './message-page.module.css';
import { type FunnelStep, funnelOf, sumOf } from './totals';
import { Table } from '@mantine/core';
import { DELIVERY_STATES, type DeliveryState, type FallbackState } from '@postrider/domain';
import { StateBadge } from '../../components/state-badge';
import { STATE_MEANING, vendorName } from './words';

/**
 * How far the devices of a message came, step by step. Shares are of the devices that the message is sent to, as in the
 * list of campaigns: devices that are skipped belong to the audience only.
 */
export function Funnel({ message }: { message: MessageResponse }): ReactNode {
  const [audience, ...steps] = funnelOf(message);
  return (
    <ol className={classes.funnel}>
      <Step step={audience} whole={message.recipients} share="" />
      {steps.map((step) => (
        <Step
          key={step.name}
          step={step}
          whole={message.recipients}
          share={message.count === 0 ? '–' : formatShare(step.count, message.count)}
        />
      ))}
    </ol>
  );
}

function Step(props: { step: FunnelStep; whole: number; share: string }): ReactNode {
  const { step, whole, share } = props;
  return (
    <li className={classes.step}>
      <span className={classes.name}>
        {step.name}
        <span className={classes.explanation}>{step.explanation}</span>
      </span>
      <span className={`meter ${classes.track ?? ''}`} aria-hidden>
        <span className={`meter-fill ${classes.bar ?? ''}`} style={{ width: `${widthOf(step.count, whole)}%` }} />
      </span>
      <span className={classes.count}>
        {formatCount(step.count)}
        <span className={classes.share}>{share}</span>
      </span>
    </li>
  );
}

/** A count above zero is visible. */
function widthOf(count: number, whole: number): number {
  return count === 0 || whole === 0 ? 0 : Math.max(0.6, (count / whole) * 100);
}

/**
 * The number of devices in each state, which add up. A state links to its devices. Shares are of the devices that the
 * message is sent to, as in the funnel: those that were skipped have none.
 */
export function StateTotals(props: { message: MessageResponse; onState: (state: DeliveryState) => void }): ReactNode {
  const { message, onState } = props;
  const { totals, recipients, count } = message;
  const shareOf = (state: DeliveryState): string =>
    state === 'skipped' || count === 0 ? '–' : formatShare(totals[state], count);
  const present = DELIVERY_STATES.filter((state) => totals[state] > 0);
  return (
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label="Totals by state">
      <Table verticalSpacing={7} horizontalSpacing={5}>
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
              <Table.Td ta="end">{shareOf(state)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">All recipients</Table.Th>
            <Table.Td className={classes.wide} />
            <Table.Td ta="end" fw={700}>
              {formatCount(recipients)}
            </Table.Td>
            <Table.Td />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

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
export function VendorTotals({ message: { byVendor, totals } }: { message: MessageResponse }): ReactNode {
  const rows = [
    ...Object.entries(byVendor).map(([vendor, counts]) => ({ name: vendorName(vendor), counts })),
    { name: 'None', counts: withoutVendor(totals, byVendor) },
  ].filter(({ counts }) => sumOf(counts, DELIVERY_STATES) > 0);
  const columns = COLUMNS.filter(
    ({ states, isForSome }) => !isForSome || rows.some(({ counts }) => sumOf(counts, states) > 0),
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
          {rows.map(({ name: vendor, counts }) => (
            <Table.Tr key={vendor}>
              <Table.Td>{vendor}</Table.Td>
              {columns.map(({ name, states }) => (
                <Table.Td key={name} ta="end">
                  {formatCount(sumOf(counts, states))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The devices that no vendor is known for: without a token, nothing says which one reaches them. */
function withoutVendor(
  totals: MessageResponse['totals'],
  byVendor: MessageResponse['byVendor'],
): MessageResponse['totals'] {
  const known = Object.values(byVendor);
  const left = DELIVERY_STATES.map((state) => [
    state,
    totals[state] - known.reduce((sum, one) => sum + (one[state] ?? 0), 0),
  ]);
  return Object.fromEntries(left) as MessageResponse['totals'];
}

const MEANING: Record<FallbackState, string> = {
  waiting: 'a device may still confirm; the SMS is not due',
  sending: 'is being sent',
  sent: 'the provider accepted it',
  delivered: 'arrived on the phone',
  undelivered: 'the provider could not deliver it',
  unknown: 'the provider gave no answer; it is not sent again',
  confirmed: 'not needed: a device confirmed the message',
  failed: 'the provider refused it',
  no_phone: 'there is no phone number',
  expired: 'the message expired before the SMS was due',
  cancelled: 'the message was cancelled',
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
