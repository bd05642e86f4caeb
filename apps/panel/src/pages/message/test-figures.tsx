import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type {
  CampaignTestResponse,
  HoldoutResponse,
  ShareResponse,
  TestFiguresResponse,
  WinnerResponse,
} from '@postrider/server/document';
import { formatCount, formatEstimate } from '../../components/format';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './test-card.module.css';

type Metric = WinnerResponse['metric'];

/** The figure of a row that is compared, by the metric. */
const USERS: Record<Metric, (figures: TestFiguresResponse) => ShareResponse> = {
  opened: ({ usersOpened }) => usersOpened,
  clicked: ({ usersClicked }) => usersClicked,
};

const HEADS = ['Variant', 'Weight', 'Sent', 'Delivered', 'Opened', 'Clicked', 'Users'] as const;

/** Each variant, and all users who were sent to. In a narrow space, the figures of a row are placed under its name. */
export function VariantsTable({
  test: { variants, all },
  metric,
}: {
  test: CampaignTestResponse;
  metric: Metric;
}): ReactNode {
  return (
    <div className={classes.figures}>
      <Table verticalSpacing={7} horizontalSpacing={5} aria-label="Variants">
        <Table.Thead>
          <Table.Tr>
            {HEADS.map((head) => (
              <Table.Th key={head} scope="col" ta={head === 'Variant' ? 'start' : 'end'}>
                {head}
              </Table.Th>
            ))}
            <Table.Th scope="col" ta="end">
              <span className={classes.rate}>{rateName(metric)}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variants.map((variant) => (
            <FiguresRow key={variant.name} figures={variant} weight={variant.weight} metric={metric}>
              <Typed text={variant.name} lines={2} />
              {variant.isWinner && <StateBadge state="done" label="winner" />}
            </FiguresRow>
          ))}
          <FiguresRow figures={all} weight={null} metric={metric}>
            All
          </FiguresRow>
        </Table.Tbody>
      </Table>
    </div>
  );
}

function rateName(metric: Metric): string {
  return `Users who ${metric}`;
}

function FiguresRow(props: {
  figures: TestFiguresResponse;
  weight: number | null;
  metric: Metric;
  children: ReactNode;
}): ReactNode {
  const { figures, weight, metric, children } = props;
  const { sent, delivered, opened, clicked, users } = figures;
  const counts = [weight, sent, delivered, opened, clicked, users];
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.variant}>
        <span className={classes.name}>{children}</span>
      </Table.Th>
      {counts.map((count, n) => (
        <Table.Td key={n} ta="end" data-name={HEADS[n + 1]}>
          {count === null ? '–' : formatCount(count)}
        </Table.Td>
      ))}
      <Table.Td ta="end" data-name={rateName(metric)}>
        <Estimate of={USERS[metric](figures)} />
      </Table.Td>
    </Table.Tr>
  );
}

/** A share, and beside or below it its interval. */
function Estimate({ of }: { of: ShareResponse }): ReactNode {
  const estimate = formatEstimate(of);
  if (estimate === null) return '–';
  return (
    <span className={classes.rate}>
      <span className={classes.whole}>{estimate.share}</span> <span className={classes.whole}>{estimate.interval}</span>
    </span>
  );
}

const HOLDOUT_HEADS = ['Users', 'Converted', 'Share'] as const;

/** Conversions of those who got the campaign, and of those who got nothing. */
export function HoldoutTable({ holdout, all }: { holdout: HoldoutResponse; all: TestFiguresResponse }): ReactNode {
  const { users, usersConverted } = holdout;
  const groups = [
    { name: 'Got the campaign', users: all.users, converted: all.usersConverted },
    { name: 'Held out', users, converted: usersConverted },
  ];
  return (
    <div className={classes.figures}>
      <Table verticalSpacing={7} horizontalSpacing={5} aria-label="Conversions with and without the campaign">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Group</Table.Th>
            {HOLDOUT_HEADS.map((head) => (
              <Table.Th key={head} scope="col" ta="end">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map(({ name, users: count, converted }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" className={classes.variant}>
                {name}
              </Table.Th>
              <Table.Td ta="end" data-name={HOLDOUT_HEADS[0]}>
                {formatCount(count)}
              </Table.Td>
              <Table.Td ta="end" data-name={HOLDOUT_HEADS[1]}>
                {formatCount(converted.users)}
              </Table.Td>
              <Table.Td ta="end" data-name={HOLDOUT_HEADS[2]}>
                <Estimate of={converted} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
