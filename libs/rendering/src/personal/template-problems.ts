import type { ErrorDetail, MessageContent } from '@postrider/domain';
import { ContentTemplates } from './content-templates';

/**
 * What is wrong with the templates of a message that is about to be accepted; nothing for one without templates.
 *
 * @param path where the message stands in the request: `` or `[3]`
 */
export function templateProblems(content: MessageContent, path: string): readonly ErrorDetail[] {
  return new ContentTemplates(content, path).problems;
}
