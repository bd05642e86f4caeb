import { Context, Liquid, type Template } from 'liquidjs';

/** The values that a template can name. */
export type SmsValues = { to: string; text: string; id: string };

/** How values are written into a body, so that no text can break out of it. */
type BodyFormat = 'json' | 'form' | 'plain';

/** No loops and no lists: a provider's body needs neither, and the work stays proportional to the text. */
const TAGS = '# assign capture case comment echo if liquid raw unless'.split(' ');
const FILTERS =
  'append prepend capitalize downcase upcase strip lstrip rstrip strip_newlines remove remove_first remove_last replace replace_first replace_last truncate slice escape url_decode base64_encode sha256 hmac_sha256 plus minus times size default raw'.split(
    ' ',
  );
/** `(1..3)`: liquidjs makes its values one by one, and past 2^53 without end. */
const RANGE = /\([^().]*(?:\.(?!\.)[^().]*)*\.\.[^()]*\)/;

/** Longest template, in characters. */
const PARSE_LIMIT = 100_000;
/** Characters that one body may read and make. */
const MAX_CHARACTERS = 1_000_000;

const ESCAPES: Record<BodyFormat, (value: unknown) => string> = {
  json: (value) => JSON.stringify(String(value)).slice(1, -1),
  form: (value) => encodeURIComponent(String(value)),
  plain: (value) => String(value),
};

/** Counts characters and takes no time, so that a busy machine refuses no SMS. Has the methods of liquidjs' limiter. */
class CharacterLimit {
  #left = MAX_CHARACTERS;

  /** @throws Error when more characters were handled than may be */
  use(count: number): void {
    if (count > 0) this.#left -= count;
    if (this.#left < 0) throw new Error(`handles more than ${MAX_CHARACTERS} characters`);
  }

  /** liquidjs calls it with the time before each part: a template without loops has no more parts than characters. */
  check(): void {}
}

/**
 * The values that a template sees: a value is counted whenever it is read, and by the filters of liquidjs when it is
 * changed.
 */
class CountedContext extends Context {
  constructor(values: SmsValues, engine: Liquid) {
    const limit = new CharacterLimit() as unknown as Context['memoryLimit'];
    super(values, engine.options, { sync: true }, { memoryLimit: limit, renderLimit: limit, liquid: engine });
  }

  override readProperty(...words: Parameters<Context['readProperty']>): unknown {
    const value: unknown = super.readProperty(...words);
    if (typeof value === 'string') this.memoryLimit.use(value.length);
    return value;
  }
}

/**
 * A provider's body as a Liquid template over `to`, `text` and `id`. Every value is escaped for the body's format by
 * itself; with the filter `json`, `url_encode` or `raw` the template does it. No files, no loops, limited work and memory.
 */
export class SmsTemplate {
  readonly #engine: Liquid;
  readonly #template: Template[];

  /** @throws when the template cannot be parsed */
  constructor(text: string, format: BodyFormat) {
    if (RANGE.test(text)) throw new Error('A body has no ranges');
    this.#engine = new Liquid({
      parseLimit: PARSE_LIMIT,
      templates: {},
      strictFilters: true,
      strictVariables: true,
      ownPropertyOnly: true,
      outputEscape: ESCAPES[format],
    });
    for (const name of Object.keys(this.#engine.tags)) {
      if (!TAGS.includes(name)) Reflect.deleteProperty(this.#engine.tags, name);
    }
    for (const name of Object.keys(this.#engine.filters)) {
      if (!FILTERS.includes(name)) this.#engine.unregisterFilter(name);
    }
    this.#engine.registerFilter('json', { raw: true, handler: (value: unknown) => JSON.stringify(value) });
    this.#engine.registerFilter('url_encode', {
      raw: true,
      handler: (value: unknown) => encodeURIComponent(String(value)),
    });
    this.#template = this.#engine.parse(text);
  }

  /** @throws if the template names an unknown value, or handles too much */
  render(values: SmsValues): string {
    return this.#engine.renderSync(this.#template, new CountedContext(values, this.#engine)) as string;
  }
}

/** Returns the format of a body by its content type; without one, JSON if it looks like it. */
export function bodyFormatOf(body: string, contentType: string | undefined): BodyFormat {
  if (contentType === undefined) return /^\s*[[{]/.test(body) ? 'json' : 'form';
  if (/[/+]json\b/i.test(contentType)) return 'json';
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? 'form' : 'plain';
}

/** The content type of a body whose credentials name none. */
export const CONTENT_TYPES: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  plain: 'text/plain; charset=utf-8',
};
