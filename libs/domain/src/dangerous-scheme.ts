/** Characters that browsers skip inside a scheme, so that they would run `java\nscript:`. */
const IGNORED_IN_SCHEME = /[\t\n\r]/g;
/** Exactly the characters that browsers trim (WHATWG URL §4.4). */
const TRIMMED_BEFORE_SCHEME = /^[\u0000-\u0020]+/;
const DANGEROUS_SCHEME = /^(javascript|data|vbscript|file):/i;

/**
 * The scheme of a link if it would run or read something on the device, in lower case.
 *
 * @returns null for any other link
 */
export function dangerousScheme(link: string): string | null {
  const bare = link.replace(TRIMMED_BEFORE_SCHEME, '').replace(IGNORED_IN_SCHEME, '');
  return DANGEROUS_SCHEME.exec(bare)?.[1]?.toLowerCase() ?? null;
}
