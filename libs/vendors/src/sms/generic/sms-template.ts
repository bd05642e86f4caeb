import { Liquid, type Template } from 'liquidjs';

/** What a template can name. */
export type SmsValues = { to: string; text: string; id: string };

/** How values are written into a body, so that no text can break out of it. */
export type BodyFormat = 'json' | 'form' | 'plain';

const LIMITS = { parseLimit: 100_000, renderLimit: 100, memoryLimit: 1_000_000 };

const ESCAPES: Record<BodyFormat, (value: unknown) => string> = {
  json: (value) => JSON.stringify(String(value)).slice(1, -1),
  form: (value) => encodeURIComponent(String(value)),
  plain: (value) => String(value),
};

/**
 * A provider's body as a Liquid template over `to`, `text` and `id`. Every value is escaped for the body's format by
 * itself; with the filter `json`, `url_encode` or `raw` the template does it. No files, limited time and memory.
 */
export class SmsTemplate {
  readonly #engine: Liquid;
  readonly #template: Template[];

  /** @throws when the template cannot be parsed */
  constructor(text: string, format: BodyFormat) {
    this.#engine = new Liquid({
      ...LIMITS,
      templates: {},
      strictFilters: true,
      strictVariables: true,
      ownPropertyOnly: true,
      outputEscape: ESCAPES[format],
    });
    this.#engine.registerFilter('json', { raw: true, handler: (value: unknown) => JSON.stringify(value) });
    this.#engine.registerFilter('url_encode', {
      raw: true,
      handler: (value: unknown) => encodeURIComponent(String(value)),
    });
    this.#template = this.#engine.parse(text);
  }

  /** @throws when the template names what there is not, or takes too long */
  render(values: SmsValues): string {
    return this.#engine.renderSync(this.#template, values) as string;
  }
}

/** The format of a body, by its content type; without one, JSON if it looks like it. */
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
