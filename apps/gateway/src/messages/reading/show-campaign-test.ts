import type {
  CampaignTestResponse,
  HoldoutResponse,
  ShareResponse,
  TestFiguresResponse,
  WinnerResponse,
} from '@postrider/contracts';
import { bestVariant, estimateShare, isDifferent, type VariantCount, type WinnerMetric } from '@postrider/domain';
import type { MessageRecord, TestFigures } from '@postrider/persistence';

type Figures = Omit<TestFigures, 'part'>;

const NOTHING: Figures = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  users: 0,
  usersOpened: 0,
  usersClicked: 0,
  usersConverted: 0,
};

/** True if a message has parts that are compared. */
export function isTested({ content: { variants, holdout } }: Pick<MessageRecord, 'content'>): boolean {
  return variants !== undefined || holdout !== undefined;
}

/** Compares the variants of a message with each other and with the users who were held out. */
export function showCampaignTest(message: MessageRecord, figures: readonly TestFigures[]): CampaignTestResponse {
  const { variants = [], winner, holdout } = message.content;
  const ofVariants = variants.map((_, place) => figures.find(({ part }) => part === place) ?? NOTHING);
  const rest = figures.find(({ part }) => part === 'rest') ?? NOTHING;
  const all = figures.filter(({ part }) => part !== 'holdout').reduce<Figures>(sum, NOTHING);
  return {
    variants: variants.map(({ name, weight }, place) => ({
      name,
      weight,
      isWinner: name === message.winnerVariant,
      ...showVariant(ofVariants[place] ?? NOTHING, name === message.winnerVariant ? rest : NOTHING),
    })),
    all: showFigures(all),
    holdout:
      holdout === undefined
        ? null
        : showHoldout(
            holdout,
            figures.find(({ part }) => part === 'holdout'),
            all,
          ),
    winner: winner === undefined ? null : showWinner(message, winner.metric),
    verdict: variants.length === 0 ? null : verdictOf(variants, ofVariants, winner?.metric ?? 'opened'),
  };
}

function sum(one: Figures, other: Figures): Figures {
  const names = Object.keys(NOTHING) as (keyof Figures)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Figures;
}

function showFigures(figures: Figures): TestFiguresResponse {
  const { sent, delivered, opened, clicked, users } = figures;
  return {
    sent,
    delivered,
    opened,
    clicked,
    users,
    usersOpened: showShare(users, figures.usersOpened),
    usersClicked: showShare(users, figures.usersClicked),
    usersConverted: showShare(users, figures.usersConverted),
  };
}

/** Devices are all that got the variant. Users are those who compare, without those who got it later as the winner. */
function showVariant(figures: Figures, later: Figures): TestFiguresResponse {
  const { sent, delivered, opened, clicked } = sum(figures, later);
  return { ...showFigures(figures), sent, delivered, opened, clicked };
}

const DIGITS = 4;

function showShare(users: number, reacted: number): ShareResponse {
  const { share, low, high } = estimateShare({ users, reacted }) ?? { share: null, low: null, high: null };
  const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(DIGITS)));
  return { users: reacted, share: rounded(share), low: rounded(low), high: rounded(high) };
}

function showWinner(message: MessageRecord, metric: WinnerMetric): WinnerResponse {
  return {
    metric,
    variant: message.winnerVariant,
    dueAt: message.winnerDueAt?.toISOString() ?? null,
    decidedAt: message.winnerDecidedAt?.toISOString() ?? null,
    decidedBy: message.winnerBy,
  };
}

function showHoldout(percent: number, held: Figures = NOTHING, all: Figures): HoldoutResponse {
  const { users, usersConverted } = held;
  const [out, sent] = [
    { users, reacted: usersConverted },
    { users: all.users, reacted: all.usersConverted },
  ];
  const [without, having] = [percentOf(out), percentOf(sent)];
  const answer = isDifferent(out, sent);
  const verdict =
    answer === null
      ? 'There are too few users with a conversion to say whether the campaign makes a difference.'
      : answer
        ? `The campaign makes a difference: ${having} of those who got it converted, and ${without} of those held out. Chance alone does this in fewer than 5 of 100 cases.`
        : `${having} of those who got the campaign converted, and ${without} of those held out. The difference may be chance.`;
  return { percent, users, usersConverted: showShare(users, usersConverted), verdict };
}

const DONE = { opened: 'opened', clicked: 'clicked' } as const;

/** A sentence about the best variant and the second best. */
function verdictOf(variants: readonly { name: string }[], figures: readonly Figures[], metric: WinnerMetric): string {
  const counts = figures.map(({ users, usersOpened, usersClicked }): VariantCount => ({
    users,
    reacted: metric === 'opened' ? usersOpened : usersClicked,
  }));
  const best = bestVariant(counts);
  const others = counts.map((count, place) => (place === best ? { users: 0, reacted: 0 } : count));
  const next = bestNext(others, best);
  const [one, other] = [counts[best], counts[next]];
  if (!one || !other) return '';
  const answer = isDifferent(one, other, variants.length - 1);
  if (answer === null) return `Too few users have ${DONE[metric]} the message to say which variant is better.`;
  const [first, second] = [`“${variants[best]?.name}”`, `“${variants[next]?.name}”`];
  if (answer) {
    return `${first} is better than ${second}: ${percentOf(one)} of its users ${DONE[metric]}, against ${percentOf(other)}. Chance alone does this in fewer than 5 of 100 cases.`;
  }
  return `${first} (${percentOf(one)} ${DONE[metric]}) and ${second} (${percentOf(other)}) differ by no more than chance explains.`;
}

function bestNext(counts: readonly VariantCount[], best: number): number {
  const next = bestVariant(counts);
  return next === best ? (best === 0 ? 1 : 0) : next;
}

function percentOf({ users, reacted }: VariantCount): string {
  return `${users === 0 ? '0.0' : ((100 * reacted) / users).toFixed(1)} %`;
}
