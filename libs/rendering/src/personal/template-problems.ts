import type { ErrorDetail, MessageContent } from '@postrider/domain';
import type { TextSource } from '../sandbox/sandbox-protocol';
import { ContentTemplates } from './content-templates';
import { textProblems } from './text-program';

/** The templates of all messages of one request together, in bytes. */
export const MAX_REQUEST_TEMPLATE_BYTES = 262_144;

/** A message of a request. */
export interface RequestedContent {
  content: MessageContent;
  /** Where it stands in the request: `` or `[3]`. */
  path: string;
}

/**
 * What is wrong with the templates of the messages of one request; nothing for those without templates. Others than plain ones
 * are parsed in a sandbox, so that no request holds up the rest.
 *
 * @throws Error when there is no sandbox to look
 */
export async function templateProblems(messages: readonly RequestedContent[]): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  const sources: TextSource[] = [];
  let bytes = 0;
  for (const { content, path } of messages) {
    const templates = new ContentTemplates(content, path);
    problems.push(...templates.problems);
    for (const source of templates.fallback ? [...templates.sources, templates.fallback] : templates.sources) {
      bytes += Buffer.byteLength(source.text);
      if (bytes > MAX_REQUEST_TEMPLATE_BYTES) return [...problems, oneTooMany(source)];
      sources.push(source);
    }
  }
  return [...problems, ...(await textProblems(sources))];
}

function oneTooMany({ path }: TextSource): ErrorDetail {
  const message = `is one template too many: those of a request have at most ${MAX_REQUEST_TEMPLATE_BYTES} bytes together`;
  return { path, message };
}
