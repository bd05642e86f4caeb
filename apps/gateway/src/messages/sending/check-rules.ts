import type { SendRecipients } from '@postrider/contracts';
import type { ErrorDetail } from '@postrider/domain';
import { findRuleProblems } from '../../segments/find-rule-problems';

/** What is wrong with the rules in `target` and `segment`; nothing for recipients that are named. */
export function checkRules(recipients: SendRecipients): readonly ErrorDetail[] {
  return recipients.kind === 'rules' ? findRuleProblems(recipients) : [];
}
