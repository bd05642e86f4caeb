import { normaliseName } from '@postrider/domain';
import { VariantRequest, WinnerRequest } from '../api/generated/limits';
import { LOCALE } from './locale';
import { hasTest, type MessageDraft, TTL_SECONDS, type VariantDraft } from './message-draft';
import { languageFieldOf, languageProblems } from './message-languages';
import { integerProblem, isJson, isWithin } from './message-body';
import { afterSeconds, moreOf } from './message-variants';

/** Returns the problems of a draft's variants and of the choice of the winner, by the names of their fields. */
export function testProblems(draft: MessageDraft): Record<string, string | undefined> {
  if (!hasTest(draft)) return {};
  const names = draft.variants.map(({ name }) => name.trim());
  const found = draft.variants.map((variant, place) => ({
    ...fieldProblems(variant, names.indexOf(variant.name.trim()) < place),
    ...languageProblems(variant),
  }));
  return Object.assign({}, ...found, winnerProblems(draft)) as Record<string, string | undefined>;
}

function fieldProblems(variant: VariantDraft, isTaken: boolean): Record<string, string | undefined> {
  const { key, name, weight, data, more } = variant;
  const isWeight = Number.isInteger(Number(weight)) && isWithin(Number(weight), VariantRequest.weight);
  const most = VariantRequest.weight.maximum.toLocaleString(LOCALE);
  return {
    [`variant.${key}.name`]: nameProblem(name.trim(), isTaken),
    [`variant.${key}.weight`]: isWeight ? undefined : `Enter a whole number from 1 to ${most}`,
    [`variant.${key}.data`]: isJson(data) ? integerProblem(data) : 'This is not JSON yet',
    [`variant.${key}.more`]:
      moreOf(variant) === null ? 'Enter an object as JSON, such as {"silent": true}' : integerProblem(more),
  };
}

function nameProblem(name: string, isTaken: boolean): string | undefined {
  if (name === '') return 'Enter a name';
  if (normaliseName(name) === null) return `At most ${VariantRequest.name.maxLength} characters`;
  return isTaken ? 'Another variant has this name' : undefined;
}

function winnerProblems(draft: MessageDraft): Record<string, string | undefined> {
  const { kind, after, share } = draft.winner;
  if (kind === 'none') return {};
  const life = draft.ttl.amount.trim() === '' ? Infinity : Number(draft.ttl.amount) * TTL_SECONDS[draft.ttl.unit];
  const isShare = Number.isInteger(Number(share)) && isWithin(Number(share), WinnerRequest.share);
  const seconds = afterSeconds(draft);
  const isTime = after.amount.trim() !== '' && isWithin(seconds, WinnerRequest.after);
  return {
    'winner.kind':
      draft.reach === 'live' ? 'Nobody can wait for a message to devices that have the app open now' : undefined,
    'winner.share': isShare ? undefined : 'Enter a whole number from 1 to 99',
    'winner.after': !isTime
      ? 'Enter a time from 1 minute to 7 days'
      : seconds >= life
        ? 'The message is not valid any more by then: see “Valid for”'
        : undefined,
  };
}

const PLACE = /^variants\[(\d+)\](?:\.(.+))?$/;
const ACTION = /^notification\.actions\[(\d+)\](?:\.(\w+))?/;
const FIELDS: Record<string, keyof VariantDraft> = {
  name: 'name',
  weight: 'weight',
  content: 'content',
  alertText: 'alertText',
  data: 'data',
  'notification.title': 'title',
  'notification.body': 'content',
  'notification.clickUrl': 'clickUrl',
  'notification.mediaUrl': 'mediaUrl',
};

/** The field of the page that a path of the API is about; undefined: none of a test's. */
export function testFieldOf(draft: MessageDraft, path: string): string | undefined {
  if (path === 'variants') return 'variants';
  const [top, part = 'kind'] = path.split('.');
  if (top === 'winner') return `winner.${part === 'metric' ? 'kind' : part}`;
  const [, place, field = ''] = PLACE.exec(path) ?? [];
  const variant = draft.variants[Number(place)];
  return place === undefined || variant === undefined ? undefined : variantFieldOf(variant, field);
}

function variantFieldOf(variant: VariantDraft, field: string): string {
  const [, index, of] = ACTION.exec(field) ?? [];
  const action = variant.actions[Number(index)];
  if (action !== undefined) return `action.${action.key}.${of === 'url' || of === 'title' ? of : 'more'}`;
  const inLanguage = languageFieldOf(variant, field);
  if (inLanguage !== undefined) return inLanguage;
  // The variant as a whole is too big.
  return `variant.${variant.key}.${FIELDS[field] ?? (field === '' ? 'content' : 'more')}`;
}
