import type { RulesRequest, UnjudgedRequest } from '@postrider/contracts';
import { judgeRules } from './judge-rules';

/**
 * A request whose rules are within the segment language.
 *
 * @throws InvalidRequest naming every bad field, those of the rules among them
 */
export function judged<Request extends { rules: RulesRequest }>({
  request,
  problems,
}: UnjudgedRequest<Request>): Request {
  problems.addAll(judgeRules(request.rules));
  problems.throwIfAny();
  return request;
}
