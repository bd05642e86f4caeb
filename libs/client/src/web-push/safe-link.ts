/**
 * The address of a link that may be opened in a browser: `http` and `https` alone, so that nothing that comes in a message runs
 * (`javascript:`), reads something (`file:`, `data:`) or starts another application without being asked.
 *
 * @param base what a relative link is relative to
 * @returns null for any other
 */
export function safeLink(link: string | null, base: string): string | null {
  if (link === null || !URL.canParse(link, base)) return null;
  const { protocol, href } = new URL(link, base);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
