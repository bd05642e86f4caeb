import type { Channel } from '@postrider/domain';
import type { Executor } from '@postrider/persistence';
import { decisiveRules } from './decisive-rules';
import type { DeviceAnswers, ExplainedDevice } from './explained-device';
import { type Outline, outlineRules } from './outline-rules';
import { type AskedDevices, readAnswers } from './read-answers.query';
import type { RulesSelection } from './rules-selection';
import { sayRule } from './say-rule';

/**
 * Says of some devices, at most `limit`, why a message to a group is sent to them or not. What holds is PostgreSQL's answer,
 * by the predicates that choose recipients; the words are made from what the device has.
 *
 * @throws InvalidRequest when the rules are not within the segment language
 */
export async function explainDevices(
  executor: Executor,
  selection: RulesSelection,
  asked: AskedDevices,
  limit: number,
): Promise<ExplainedDevice[]> {
  const outline = outlineRules(selection.who);
  const devices = await readAnswers(executor, selection, outline, asked, limit);
  return devices.map((device) => explainDevice(device, outline, selection));
}

function explainDevice(device: DeviceAnswers, outline: Outline, selection: RulesSelection): ExplainedDevice {
  const { installationId, userId, isMatch, isMember, isReachable, answers } = device;
  const rules = outline.rules.map(({ path, condition }, rule) => {
    const isHeld = answers[rule] === true;
    return { path, holds: isHeld, why: sayRule(condition, device, isHeld, selection.acceptedAt) };
  });
  const isIn = isMatch && isMember && isReachable;
  const reasons =
    isMatch && !isIn ? [] : decisiveRules(outline.whole, answers).flatMap((rule) => rules[rule]?.why ?? []);
  if (!isMember) reasons.push(sayNoMember(selection.channel));
  if (!isReachable) reasons.push(sayUnreachable(device));
  return { installationId, userId, isIn, isMatch, isMember, isReachable, reasons: [...new Set(reasons)], rules };
}

function sayNoMember(channel: Channel): string {
  return `is not a member of channel ${channel}`;
}

function sayUnreachable({ reason, pushType }: DeviceAnswers): string {
  switch (reason) {
    case 'user_not_proved':
      return 'gets nothing: it has not proved its user, which the application requires';
    case 'no_token':
      return 'has no usable token: it registered none';
    case 'token_invalid':
      return 'has no usable token: its token was refused, or the user denied notifications';
    case 'vendor_not_configured':
      return `cannot be reached: the application has no credentials for ${pushType ?? 'its vendor'}`;
    default:
      return 'cannot be reached: it uses no connection';
  }
}
