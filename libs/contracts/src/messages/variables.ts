import { isJsonObject, type JsonObject } from '@postrider/domain';
import { fieldOf } from '../validation/field';
import type { Reading } from '../validation/reading';

/** How many variables a send or a template may have. */
export const MOST_VARIABLES = 100;
/** How many bytes of JSON the variables of a send take together. */
export const MOST_VARIABLE_BYTES = 16_384;

/** Values that the texts of a message read as `variables.<name>`. */
export function IsVariables(): PropertyDecorator {
  return fieldOf<JsonObject>({
    name: 'isVariables',
    read: (value): Reading<JsonObject> => {
      if (!isJsonObject(value)) return { problem: 'must be an object' };
      const isFew = Object.keys(value).length <= MOST_VARIABLES;
      return isFew && Buffer.byteLength(JSON.stringify(value)) <= MOST_VARIABLE_BYTES
        ? { value }
        : { problem: `must have at most ${MOST_VARIABLES} names and ${MOST_VARIABLE_BYTES} bytes of JSON` };
    },
    schema: {
      type: 'object',
      additionalProperties: true,
      maxProperties: MOST_VARIABLES,
      description: `values that texts read as \`variables.<name>\`; at most ${MOST_VARIABLE_BYTES} bytes of JSON`,
    },
  });
}
