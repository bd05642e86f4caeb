/**
 * Returns the link of a message that a device followed, as the message holds it. A personal link stands for all links
 * that its template became, so that it counts as one and names nobody.
 *
 * @param held the message's links, templates among them
 * @returns undefined if the message has no such link
 */
export function heldLink(held: readonly string[], followed: string): string | undefined {
  return held.includes(followed) ? followed : held.find((link) => isTemplate(link) && mayBecome(link, followed));
}

function isTemplate(link: string): boolean {
  return link.includes('{{') || link.includes('{%');
}

/**
 * True if all fixed parts of a template are in a link, in order. Takes time in proportion to the length of the link.
 */
function mayBecome(template: string, link: string): boolean {
  const [first = '', ...others] = fixedParts(template);
  const last = others.pop() ?? '';
  if (!link.startsWith(first)) return false;
  let place = first.length;
  for (const part of others) {
    const found = link.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return link.length - last.length >= place && link.endsWith(last);
}

/**
 * The text between outputs. In a template with tags, only the text before the first and after the last one is certain.
 */
function fixedParts(template: string): string[] {
  const first = template.indexOf('{%');
  // Of many braces in a row only the first is tried.
  if (first < 0) return template.split(/(?<!\{)\{\{[^}]*\}\}/);
  return [...fixedParts(template.slice(0, first)), ...fixedParts(template.slice(template.lastIndexOf('%}') + 2))];
}
