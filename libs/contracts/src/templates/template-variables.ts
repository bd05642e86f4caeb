import type { ErrorDetail, JsonObject, JsonValue } from '@postrider/domain';
import { MOST_VARIABLE_BYTES } from '../messages/variables';
import { Optional, Rule } from '../validation/field';
import { IsFlag, IsJson, IsText, IsTextLike } from '../validation/fields';
import { FORBIDDEN_KEYS } from '../validation/parse-json-body';

/** A list of variables whose defaults a send could not have itself. @returns the problem, or null */
export function defaultsProblem(variables: readonly TemplateVariable[]): string | null {
  const usual = Object.fromEntries(variables.map(({ name, default: value = null }) => [name, value]));
  return Buffer.byteLength(JSON.stringify(usual)) <= MOST_VARIABLE_BYTES
    ? null
    : `must have defaults of at most ${MOST_VARIABLE_BYTES} bytes of JSON together`;
}

/** A variable that a template expects from a send. */
export class TemplateVariable {
  @IsTextLike(/^[A-Za-z_]\w{0,63}$/, 'must be a name: up to 64 letters, digits and _, not beginning with a digit', {
    maxLength: 64,
  })
  @Rule<TemplateVariable>(({ name = '' }) => (FORBIDDEN_KEYS.has(name) ? 'is not allowed as a name' : null))
  name!: string;

  @IsFlag('true if a send without it is refused', { default: false }) required!: boolean;
  @Optional() @IsJson('the value of a send that has none') default?: JsonValue;
  @Optional() @IsText(500, 'what it is, for people who send') description?: string;
}

/**
 * The variables of a send that names a template: those of the send, and the defaults of the others.
 *
 * @returns also the missing required ones, under the names in the send
 */
export function fillInVariables(
  expected: readonly TemplateVariable[],
  sent: JsonObject,
): { variables: JsonObject; problems: ErrorDetail[] } {
  const variables = { ...sent };
  const problems: ErrorDetail[] = [];
  for (const { name, required, default: usual } of expected) {
    const value = Object.hasOwn(sent, name) ? sent[name] : null;
    if ((value ?? null) !== null) continue;
    if (usual !== undefined) variables[name] = usual;
    else if (required) problems.push({ path: `variables.${name}`, message: 'is required by the template' });
  }
  return { variables, problems };
}
