import { parseRules } from '@postrider/audience';
import type { RulesRequest } from '@postrider/contracts';
import { type ErrorDetail, InvalidRequest, isUuid, type JsonObject } from '@postrider/domain';

/** Whether a `segment` names a saved one: `{ "id": … }`. */
export function namesSavedSegment(segment: JsonObject | undefined): segment is JsonObject {
  return segment !== undefined && Object.hasOwn(segment, 'id');
}

/**
 * What is wrong with rules that may name a saved segment. Whether there is such a segment is asked later.
 *
 * @returns nothing when there are no rules at all: that is for whoever read the request to say
 */
export function findRuleProblems({ target, segment }: RulesRequest): readonly ErrorDetail[] {
  if (!namesSavedSegment(segment)) return problemsOf({ target, segment });
  const details = Object.keys(segment)
    .filter((key) => key !== 'id')
    .map((key) => ({ path: `segment.${key}`, message: 'must not be sent together with id' }));
  if (typeof segment.id !== 'string' || !isUuid(segment.id)) details.push(unknownSegmentDetail());
  return [...details, ...problemsOf({ target })];
}

/** The bad field of a request that names a segment which is not there. */
export function unknownSegmentDetail(): ErrorDetail {
  return { path: 'segment.id', message: 'must be the id of a saved segment' };
}

function problemsOf(rules: {
  target?: JsonObject | undefined;
  segment?: JsonObject | undefined;
}): readonly ErrorDetail[] {
  if ((rules.target ?? rules.segment) === undefined) return [];
  try {
    parseRules(rules);
    return [];
  } catch (error) {
    if (error instanceof InvalidRequest) return error.options.details ?? [];
    throw error;
  }
}
