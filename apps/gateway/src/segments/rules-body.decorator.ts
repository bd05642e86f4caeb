import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { Problems, readablePart, readRequest, type RulesRequest } from '@postrider/contracts';
import type { FastifyRequest } from 'fastify';
import { findRuleProblems } from './find-rule-problems';

/** Reads a body that holds rules as the class of its parameter, and checks its rules by the segment language. */
@Injectable()
class RulesValidation implements PipeTransform<unknown, RulesRequest> {
  /** @throws InvalidRequest naming every bad field, those of the rules among them */
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

/** The body of a request that holds rules. The pipe of all other requests lets it be, so that its bad fields are told together. */
export function RulesBody(): ParameterDecorator {
  return UnreadBody(RulesValidation);
}
