import { contentOfEdition, type ErrorDetail, type MessageContent } from '@postrider/domain';
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
  for (const { templates, extraProblems } of messages.flatMap(templatesOf)) {
    problems.push(...templates.problems, ...extraProblems);
    for (const source of templates.fallback ? [...templates.sources, templates.fallback] : templates.sources) {
      bytes += Buffer.byteLength(source.text);
      if (bytes > MAX_REQUEST_TEMPLATE_BYTES) return [...problems, oneTooMany(source)];
      sources.push(source);
    }
  }
  return [...problems, ...(await textProblems(sources))];
}

/** The templates of one place of a message, and what is wrong with them together with those of its default. */
interface PlacedTemplates {
  templates: ContentTemplates;
  extraProblems: ErrorDetail[];
}

/** A message's own templates, then those of each of its languages, under the names that they were sent with. */
function templatesOf({ content, path }: RequestedContent): PlacedTemplates[] {
  const usual = { templates: new ContentTemplates(content, path), extraProblems: [] };
  const { localized = {}, fallback, ...rest } = content;
  const languages = Object.entries(localized).map(([language, own]): PlacedTemplates => {
    const at = `${path === '' ? '' : `${path}.`}localized.${language}`;
    const sms = own.fallback && fallback && { ...fallback, ...own.fallback };
    const { content: text, alertText, notification } = own;
    const fields = { ...rest, content: text, data: undefined, alertText, notification, fallback: sms };
    const templates = new ContentTemplates(fields, at);
    const hasProblems = templates.problems.length + usual.templates.problems.length > 0;
    const isTooLong = !hasProblems && new ContentTemplates(contentOfEdition(content, { language })).problems.length > 0;
    return { templates, extraProblems: isTooLong ? [{ path: at, message: TOO_LONG }] : [] };
  });
  return [usual, ...languages];
}

const TOO_LONG = 'has templates that are too long together with those of the default';

function oneTooMany({ path }: TextSource): ErrorDetail {
  const message = `is one template too many: those of a request have at most ${MAX_REQUEST_TEMPLATE_BYTES} bytes together`;
  return { path, message };
}
