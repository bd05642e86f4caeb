/** Keywords that generators of clients read as parts of a type. */
const COMBINING = ['allOf', 'anyOf', 'oneOf'];

type Keywords = Record<string, unknown>;

/**
 * Rewrites the schemas of a document so that generators of clients read them as people do. The same values stay valid.
 *
 * - An object with fields may have rules over several of them: `anyOf: [{ required: ['users'] }, { required: ['user'] }]`.
 *   Generators make a union of such a rule: of `unknown`, which then takes everything, or only of the branches that have
 *   fields. So the rule becomes `if: <rule>, else: { not: {} }`, which they leave out.
 * - `required` in a rule names fields that the rule itself does not have. Linters want them, so it gets them, without a
 *   rule of their own.
 * - `\/` in a pattern is how JavaScript writes a slash. Other languages refuse it.
 *
 * @param part a document, or a part of it; it does not change
 */
export function separateRules<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => separateRules(one)) as Part;
  if (!isObject(part)) return part;
  const own = Object.entries(part).map(([word, value]) => {
    const isPattern = word === 'pattern' && typeof value === 'string';
    return [word, isPattern ? value.replaceAll(String.raw`\/`, '/') : separateRules(value)];
  });
  const schema = Object.fromEntries(own) as Keywords;
  const rules = isObject(schema.properties) ? COMBINING.filter((word) => isRule(schema[word])) : [];
  if (rules.length === 0) return schema as Part;
  const rest = Object.entries(schema).filter(([word]) => !rules.includes(word));
  const rule = Object.fromEntries(rules.map((word) => [word, withFields(schema[word])]));
  return { ...Object.fromEntries(rest), if: rule, else: { not: {} } } as Part;
}

/** True for a list of schemas that says something about the fields of an object, and not what it is. */
function isRule(list: unknown): boolean {
  return Array.isArray(list) && list.every((one) => isObject(one) && !('$ref' in one) && !('type' in one));
}

function withFields(rule: unknown): unknown {
  if (Array.isArray(rule)) return rule.map(withFields);
  if (!isObject(rule)) return rule;
  const inside = Object.fromEntries(Object.entries(rule).map(([word, value]) => [word, withFields(value)]));
  if (!Array.isArray(inside.required)) return inside;
  const named = Object.fromEntries((inside.required as string[]).map((name) => [name, {}]));
  return { ...inside, properties: { ...named, ...(inside.properties as Keywords | undefined) } };
}

/** True for an object of a document: a schema, or another group of keywords. */
export function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
