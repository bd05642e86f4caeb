import { parseRules } from '@postrider/audience';
import { Problems, readablePart, readRequest, type RulesRequest } from '@postrider/contracts';
import { type ErrorDetail, InvalidRequest, isUuid, type JsonObject } from '@postrider/domain';
import type { SegmentsRepository } from '@postrider/persistence';
import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** True if a `segment` names a saved one: `{ "id": … }`. */
function namesSavedSegment(segment: JsonObject | undefined): segment is JsonObject {
  return segment !== undefined && Object.hasOwn(segment, 'id');
}

/**
 * Finds problems of rules that may name a saved segment. Its existence is checked later.
 *
 * @returns nothing if there are no rules at all: the caller reports that
 */
export function findRuleProblems({ target, segment }: RulesRequest): readonly ErrorDetail[] {
  if (!namesSavedSegment(segment)) return problemsOf({ target, segment });
  const details = Object.keys(segment)
    .filter((key) => key !== 'id')
    .map((key) => ({ path: `segment.${key}`, message: 'must not be sent together with id' }));
  if (typeof segment.id !== 'string' || !isUuid(segment.id)) details.push(unknownSegmentDetail());
  return [...details, ...problemsOf({ target })];
}

/** The bad field of a request that names an unknown segment. */
function unknownSegmentDetail(): ErrorDetail {
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

/**
 * Replaces the id of a saved segment by its present rules, and adds the other rules of the request. Rules without a
 * saved segment do not change.
 *
 * @throws InvalidRequest if there is no such segment, or both it and the request have a target for one field
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
      message: 'is also in the target of the saved segment; send it in one of them only',
    }));
  if (details.length > 0) throw new InvalidRequest(details);
  return { ...saved, ...asked };
}

/** Reads a body with rules as the class of its parameter, and checks the rules by the segment language. */
@Injectable()
class RulesValidation implements PipeTransform<unknown, RulesRequest> {
  /** @throws InvalidRequest naming every bad field, including those of the rules */
  transform(body: unknown, { metatype }: ArgumentMetadata): RulesRequest {
    const problems = new Problems(body);
    const { request, problems: found } = readRequest(metatype as Type<RulesRequest>, body);
    problems.addAll(found);
    problems.addAll(findRuleProblems(readablePart(request)));
    problems.throwIfAny();
    return request;
  }
}

const UnreadBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().body,
);

/**
 * The body of a request with rules. The pipe of all other requests skips it, so that all bad fields are reported
 * together.
 */
export function RulesBody(): ParameterDecorator {
  return UnreadBody(RulesValidation);
}
