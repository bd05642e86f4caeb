import { parseRules } from '@postrider/audience';
import type { RulesRequest } from '@postrider/contracts';
import { InvalidRequest, type JsonObject } from '@postrider/domain';
import type { SegmentsRepository } from '@postrider/persistence';
import { namesSavedSegment, unknownSegmentDetail } from './find-rule-problems';

/**
 * Puts a saved segment's rules, as they stand now, in the place of its id, and adds what the request asks beside it. Rules
 * that name no saved segment come back as they are.
 *
 * @throws InvalidRequest when there is no such segment, or both it and the request have a target for one field
 */
export async function fillInSavedRules<Rules extends RulesRequest>(
  segments: SegmentsRepository,
  appId: string,
  rules: Rules,
): Promise<Rules> {
  if (!namesSavedSegment(rules.segment)) return rules;
  const { id } = rules.segment;
  const saved = typeof id === 'string' ? await segments.find(appId, id) : null;
  if (!saved) throw new InvalidRequest([unknownSegmentDetail()]);
  const target = mergeTargets(saved.target, rules.target);
  const filled = { ...rules };
  delete filled.segment;
  if (target) filled.target = target;
  if (saved.segment) filled.segment = saved.segment;
  parseRules(filled);
  return filled;
}

function mergeTargets(saved: JsonObject | null, asked: JsonObject | undefined): JsonObject | undefined {
  if (!saved || !asked) return saved ?? asked;
  const details = Object.keys(asked)
    .filter((name) => Object.hasOwn(saved, name))
    .map((name) => ({
      path: `target.${name}`,
      message: 'is also in the target of the saved segment: send it in one of the two',
    }));
  if (details.length > 0) throw new InvalidRequest(details);
  return { ...saved, ...asked };
}
