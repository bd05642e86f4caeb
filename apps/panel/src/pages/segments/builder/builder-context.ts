import { createContext, use } from 'react';
import type { RuleEffectResponse } from '../../../api/generated/document';
import type { MemberDraft, RuleDraft } from '../../../model/segment-draft';

/** What the parts of a segment builder share. */
export interface Builder {
  change: (key: string, member: MemberDraft) => void;
  remove: (key: string) => void;
  /** What is wrong with a rule or group, once it is time to say so. */
  problemOf: (member: MemberDraft) => string | undefined;
  /** What a rule does to the group, when that was asked. */
  effectOf: (key: string) => RuleEffectResponse | undefined;
}

export const BuilderContext = createContext<Builder | null>(null);

/** The builder that a part stands in. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === null) throw new Error('This part belongs into a segment builder');
  return builder;
}

/** Whether anything was given as the value of a rule. */
export function isBegun(rule: RuleDraft): boolean {
  return rule.values.some((text) => text.trim() !== '') || rule.place.lat !== '' || rule.place.lng !== '';
}
