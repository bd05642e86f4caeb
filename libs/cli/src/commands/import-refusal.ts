import { PostriderError } from '@postrider/server';

/** The options of `postrider devices import`, by the parameters of the API that they set. */
const OPTIONS: Readonly<Record<string, string>> = {
  format: '--format',
  mapping: '--mapping',
  header: '--no-header',
  pushType: '--push-type',
  validate: '--validate',
  validationRate: '--validation-rate',
};

/** What a caller of the API sends, and the words of the command for it. */
const SPELLINGS: readonly (readonly [ofApi: string, ofCommand: string])[] = [
  ['header=false', '--no-header'],
  ['validate=true', '--validate'],
  ['or a mapping is required', 'or --mapping is required'],
  ['the content type application/json', '--type json'],
  ['the content type application/x-ndjson', '--type ndjson'],
];

/**
 * Throws why the service refused an import, in the options of the command: `pushType` is `--push-type`.
 *
 * @param error what the call threw
 */
export function refuseInOptions(error: unknown): never {
  if (!(error instanceof PostriderError) || error.details.length === 0) throw error;
  const { code, message, status, requestId, retryAfterMs, isRefused, cause } = error;
  const details = error.details.map((field) => ({ path: optionOf(field.path), message: spelled(field.message) }));
  throw new PostriderError(code, message, { status, requestId, retryAfterMs, isRefused, cause, details });
}

/** `mapping.userId` is `--mapping.userId`: a part of an option. */
function optionOf(path: string): string {
  const [name = ''] = path.split('.');
  return (OPTIONS[name] ?? name) + path.slice(name.length);
}

function spelled(message: string): string {
  return SPELLINGS.reduce((text, [ofApi, ofCommand]) => text.replaceAll(ofApi, ofCommand), message);
}
