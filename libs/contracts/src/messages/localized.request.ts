import { type ErrorDetail, isJsonObject, isLanguageTag, type JsonObject, type JsonValue } from '@postrider/domain';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { ClassConstructor } from 'class-transformer';
import { fieldNames, fieldOf, Optional, SaysOfClass } from '../validation/field';
import { IsAnyText, IsFilledText } from '../validation/fields';
import { IsNested } from '../validation/nested';
import { readRequest } from '../validation/read-request';
import type { ListReading } from '../validation/reading';
import { LocalizedNotificationRequest } from './notification.request';

/** How many languages a message may have beside its default. */
const MOST_LANGUAGES = 50;

const NOT_A_TAG = 'must be a language tag (BCP 47), such as fa, de-AT or zh-Hant';
const NOT_KNOWN = 'is unknown here: a language has content, alertText, notification and fallback.content';

/** The text of the fallback SMS in one language. */
@SaysOfClass({ additionalProperties: false })
export class LocalizedFallbackRequest {
  @IsFilledText() content!: string;
}

/** The fields of a message that differ in one language. */
@SaysOfClass({
  additionalProperties: false,
  description: 'the differences in this language; the rest is the default',
})
export class LocalizedContentRequest {
  @Optional() @IsFilledText() content?: string;
  @Optional() @IsAnyText() alertText?: string;
  @Optional() @IsNested(() => LocalizedNotificationRequest) notification?: LocalizedNotificationRequest;
  @Optional() @IsNested(() => LocalizedFallbackRequest) fallback?: LocalizedFallbackRequest;
}

/** By language tag. */
export type LocalizedRequests = Record<string, LocalizedContentRequest>;

/** A message in other languages than its default. */
export function IsLocalized(): PropertyDecorator {
  return (target, key) => {
    ApiExtraModels(LocalizedContentRequest)(target.constructor);
    fieldOf<LocalizedRequests>({
      name: 'isLocalized',
      read: readLocalized,
      schema: {
        type: 'object',
        additionalProperties: { $ref: getSchemaPath(LocalizedContentRequest) },
        maxProperties: MOST_LANGUAGES,
        description: 'the message in other languages, by language tag (BCP 47); tags must differ by more than case',
        examples: [{ fa: { content: 'سلام' } }],
      },
    })(target, key);
  };
}

/** @param sent the message */
function readLocalized(value: unknown, sent: JsonObject): ListReading<LocalizedRequests> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const entries = Object.entries(value).filter(([, own]) => own !== null);
  if (entries.length > MOST_LANGUAGES) return { problem: `must have at most ${MOST_LANGUAGES} languages` };
  const problems = tagProblems(entries.map(([tag]) => tag));
  const read = entries.map(([tag, own]): [string, LocalizedContentRequest] => {
    const { request, problems: found } = readLanguage(own);
    const all = [...found, ...fallbackProblems(request, sent)];
    problems.push(...all.map(({ path, message }) => ({ path: path === '' ? `.${tag}` : `.${tag}.${path}`, message })));
    return [tag, request];
  });
  const languages = Object.fromEntries(read);
  // Texts of languages that could be read are checked too.
  return problems.length > 0 ? { problems, readable: languages } : { value: languages };
}

function tagProblems(tags: readonly string[]): ErrorDetail[] {
  const first = new Map<string, string>();
  return tags.flatMap((tag) => {
    if (!isLanguageTag(tag)) return [{ path: `.${tag}`, message: NOT_A_TAG }];
    const other = first.get(tag.toLowerCase());
    first.set(tag.toLowerCase(), other ?? tag);
    return other === undefined ? [] : [{ path: `.${tag}`, message: `differs from ${other} only by case` }];
  });
}

function readLanguage(json: JsonValue | undefined): { request: LocalizedContentRequest; problems: ErrorDetail[] } {
  const { request, problems } = readRequest(LocalizedContentRequest, json);
  if (!isJsonObject(json)) return { request, problems };
  const unknown = unknownIn(LocalizedContentRequest, json, '');
  const { fallback } = json;
  const inFallback = isJsonObject(fallback) ? unknownIn(LocalizedFallbackRequest, fallback, 'fallback.') : [];
  return { request, problems: [...problems, ...unknown, ...inFallback] };
}

function unknownIn(type: ClassConstructor<object>, json: JsonObject, before: string): ErrorDetail[] {
  const known = fieldNames(type.prototype as object);
  return Object.keys(json)
    .filter((name) => !known.has(name) && json[name] !== null)
    .map((name) => ({ path: `${before}${name}`, message: NOT_KNOWN }));
}

/** A language has only the text of the SMS. The message says if there is one, and when. */
function fallbackProblems({ fallback }: LocalizedContentRequest, sent: JsonObject): ErrorDetail[] {
  const isAlone = fallback !== undefined && (sent.fallback ?? null) === null;
  return isAlone ? [{ path: 'fallback', message: 'needs the fallback of the message' }] : [];
}
