import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { MINUTE_MS, SECOND_MS } from '@postrider/domain';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import type { MessageResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { formatCount } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type Choice, CHOICE_LISTS, CHOICE_WORDS, type ChoiceList, choiceOf } from './choices-page';
import { isUnderWay, markOf } from './totals';

const EngagementChart = lazy(() =>
  import('./engagement-chart').then(({ EngagementChart: Chart }) => ({ default: Chart })),
);
const MOST_SHOWN = 10;

/**
 * What people did with a message over time, and which of its actions and links they chose. Empty until somebody did
 * something.
 */
export function Engagement(props: { kind: 'messages' | 'campaigns'; message: MessageResponse }): ReactNode {
  const { kind, message } = props;
  const found = useRead('/api/push/messages/{id}/stats', {
    params: { path: { id: message.id } },
    pollMs: isUnderWay(message) ? 10 * SECOND_MS : MINUTE_MS,
    follows: markOf(message),
  });
  const stats = found.data;
  if (!stats || Object.values(stats.totals).every((count) => count === 0)) return null;
  const { series, interval, more } = stats;
  return (
    <>
      <SectionCard title="Engagement" description={`Devices by ${interval}. Each device counts once.`}>
        <Suspense fallback={<Skeleton height={200} />}>
          <EngagementChart series={series} interval={interval} />
        </Suspense>
      </SectionCard>
      {CHOICE_LISTS.filter((list) => stats[list].length > 0).map((list) => (
        <Choices
          key={list}
          list={list}
          choices={stats[list].map(choiceOf)}
          unlisted={more[list]}
          allHref={`/${kind}/${message.id}/stats/${list}`}
        />
      ))}
    </>
  );
}

function Choices(props: {
  list: ChoiceList;
  choices: readonly Choice[];
  /** How many items the answer did not list. */
  unlisted: number;
  /** The address of the complete list. */
  allHref: string;
}): ReactNode {
  const { list, choices, unlisted, allHref } = props;
  const { title, heads } = CHOICE_WORDS[list];
  const further = Math.max(0, choices.length - MOST_SHOWN) + unlisted;
  return (
    <SectionCard title={title}>
      <Table.ScrollContainer
        minWidth={90 + heads.length * 76}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={`Table of ${title.toLowerCase()}`}
      >
        <Table verticalSpacing={7}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Chosen</Table.Th>
              {heads.map((head) => (
                <Table.Th key={head} ta="end">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {choices.slice(0, MOST_SHOWN).map(({ name, counts }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Typed text={name} isMono lines={2} />
                </Table.Td>
                {counts.map((count, n) => (
                  <Table.Td key={n} ta="end">
                    {formatCount(count)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {further > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          and {formatCount(further)} more ·{' '}
          <Anchor component={Link} href={allHref} inherit>
            See all {title.toLowerCase()}
          </Anchor>
        </Text>
      )}
    </SectionCard>
  );
}
