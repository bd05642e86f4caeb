import {
  contentOfEdition,
  type Edition,
  type ErrorDetail,
  type LocalizedContent,
  type MessageContent,
} from '@postrider/domain';
import type { TextSource } from '../sandbox/sandbox-protocol';
import { ContentTemplates } from './content-templates';
import { VARIABLE_ROOTS } from '../templates/person-scope';
import { textNeeds, type TextNeeds, textProblems } from './text-program';

/** The templates of all messages of one request together, in bytes. */
const MAX_REQUEST_TEMPLATE_BYTES = 262_144;

/** A message of a request. */
interface RequestedContent {
  content: MessageContent;
  /** Its place in the request: `` or `[3]`. */
  path: string;
}

/**
 * Finds problems of the templates of the messages of one request. None for messages without templates. Templates that
 * are not plain are parsed in a sandbox, so that no request holds up the rest.
 *
 * @throws Error if there is no sandbox
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

/**
 * Returns probable mistakes in the texts of a template that can be rendered: names that never have a value, and
 * variables that the template does not list, or lists and does not read.
 * @param path the place of its content in the request
 * @param listed the names of its variables
 * @throws Error if there is no sandbox
 */
export async function templateWarnings(message: RequestedContent, listed: readonly string[]): Promise<ErrorDetail[]> {
  const sources = sourcesOf(message);
  const needs = await textNeeds(sources.map(({ text }) => text));
  const inTexts = sources.flatMap(({ path }, place) =>
    warningsOf(needs[place] ?? null, listed).map((warning) => ({ path, message: warning })),
  );
  const unread = unreadOf(needs, listed).map((name) => ({
    path: `variables[${listed.indexOf(name)}]`,
    message: `is read by no text: write {{ variables.${name} }}`,
  }));
  return [...inTexts, ...unread];
}

function warningsOf(needs: TextNeeds | null, listed: readonly string[]): string[] {
  if (needs === null) return [];
  return [
    ...unknownOf(needs),
    ...namedOf(needs)
      .filter((name) => !listed.includes(name))
      .map((name) => `reads variables.${name}, which is no variable of the template`),
  ];
}

/** The most warnings that are returned. */
const MOST_WARNINGS = 100;

/**
 * Returns probable mistakes in messages that can be sent as they are: names that never have a value, variables that a
 * text shows and the send does not give, and variables that the send gives and no text reads.
 * @param given the names of the variables that the caller gave with each of these messages, without the defaults of
 *   its template
 * @throws Error if there is no sandbox
 */
export async function sendWarnings(
  messages: readonly (RequestedContent & { given: readonly string[] })[],
): Promise<ErrorDetail[]> {
  const texts = messages.map((message) => sourcesOf(message));
  const unique = [...new Set(texts.flat().map(({ text }) => text))];
  const needs = await textNeeds(unique);
  const needsOf = new Map(unique.map((text, place) => [text, needs[place] ?? null]));
  const warnings: ErrorDetail[] = [];
  for (const [place, { content, path, given }] of messages.entries()) {
    if (warnings.length >= MOST_WARNINGS) break;
    const sources = texts[place] ?? [];
    const known = Object.keys(content.variables ?? {});
    const read = sources.map(({ text }) => needsOf.get(text) ?? null);
    warnings.push(
      ...sources.flatMap(({ path: at, text }, n) =>
        shownWithoutValue(read[n] ?? null, text, known).map((message) => ({ path: at, message })),
      ),
      ...unreadOf(read, given).map((name) => ({
        path: `${path === '' ? '' : `${path}.`}variables.${name}`,
        message: 'is read by no text',
      })),
    );
  }
  return warnings.slice(0, MOST_WARNINGS);
}

/** The templates of a message under the names in the request, with that of its SMS. */
function sourcesOf(message: RequestedContent): TextSource[] {
  return templatesOf(message).flatMap(({ templates: { sources, fallback } }) =>
    fallback ? [...sources, fallback] : sources,
  );
}

function shownWithoutValue(needs: TextNeeds | null, text: string, known: readonly string[]): string[] {
  if (needs === null) return [];
  const unset = namedOf(needs).filter((name) => !known.includes(name) && isShownAlways(text, name));
  return [
    ...unknownOf(needs),
    ...unset.map((name) => `shows variables.${name}, which neither the send nor a default of its template gives`),
  ];
}

/**
 * True if a text shows a variable without a default, and does not ask anywhere if it has a value. It only knows names
 * that are written behind a dot: others are not warned about.
 */
function isShownAlways(text: string, name: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  const variable = new RegExp(String.raw`\bvariables\s*\.\s*${name}\b`);
  const tags = text.match(/\{%-?\s*(?:if|elsif|unless|case)\b[^%]*%\}/g) ?? [];
  if (tags.some((tag) => variable.test(tag))) return false;
  const outputs = text.match(/\{\{[^{}]*\}\}/g) ?? [];
  return outputs.some((output) => variable.test(output) && !/\|\s*default\b/.test(output));
}

/** Returns those of `names` that none of these texts reads. A text that cannot be parsed reads nothing. */
function unreadOf(needs: readonly (TextNeeds | null)[], names: readonly string[]): string[] {
  return names.filter((name) => !needs.some((one) => one !== null && (one.variables?.has(name) ?? true)));
}

function unknownOf({ globals }: TextNeeds): string[] {
  const unknown = [...globals].filter((name) => !VARIABLE_ROOTS.has(name));
  return unknown.map((name) => `reads ${name}, which never has a value. A variable of a send is variables.${name}`);
}

/** Names with dots come together with their first part. */
function namedOf({ variables }: TextNeeds): string[] {
  return [...(variables ?? [])].filter((name) => !name.includes('.'));
}

/** The templates of one place of a message, and what is wrong with them together with those of its default. */
interface PlacedTemplates {
  templates: ContentTemplates;
  extraProblems: ErrorDetail[];
}

/**
 * A message's own templates, then those of each of its languages and of each of its variants with its languages, under
 * the names in the request.
 */
function templatesOf({ content, path }: RequestedContent): PlacedTemplates[] {
  const usual = { templates: new ContentTemplates(content, path), extraProblems: [] };
  const before = path === '' ? '' : `${path}.`;
  const placed = (own: OwnContent, at: string, edition: Edition): PlacedTemplates => {
    const templates = new ContentTemplates(ownFieldsOf(content, own), at);
    const together = new ContentTemplates(contentOfEdition(content, edition)).problems.length > 0;
    const isAlone = templates.problems.length === 0 && usual.templates.problems.length === 0;
    return { templates, extraProblems: together && isAlone ? [{ path: at, message: TOO_LONG }] : [] };
  };
  const { localized = {}, variants = [] } = content;
  const languages = Object.entries(localized).map(([language, own]) =>
    placed(own, `${before}localized.${language}`, { language }),
  );
  const tested = variants.flatMap(({ name: variant, localized: theirs = {}, ...own }, place) => {
    const at = `${before}variants[${place}]`;
    const inLanguages = Object.entries(theirs).map(([language, words]) =>
      placed(words, `${at}.localized.${language}`, { language, variant }),
    );
    return [placed(own, at, { language: null, variant }), ...inLanguages];
  });
  return [usual, ...languages, ...tested];
}

/** The content of a language or a variant. */
type OwnContent = Omit<Partial<MessageContent>, 'fallback'> & LocalizedContent;

/** Only its own fields. */
function ownFieldsOf({ fallback, ...content }: MessageContent, own: OwnContent): MessageContent {
  const fields = {
    ...content,
    localized: undefined,
    variants: undefined,
    content: undefined,
    alertText: undefined,
    data: undefined,
    notification: undefined,
  };
  const sms = own.fallback && fallback && { ...fallback, ...own.fallback };
  return present({ ...fields, ...own, fallback: sms });
}

const TOO_LONG = 'has templates that are too long together with those of the default';

function present(fields: { [Name in keyof MessageContent]: MessageContent[Name] | undefined }): MessageContent {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as MessageContent;
}

function oneTooMany({ path }: TextSource): ErrorDetail {
  const message = `is one template too many: those of a request have at most ${MAX_REQUEST_TEMPLATE_BYTES} bytes together`;
  return { path, message };
}
