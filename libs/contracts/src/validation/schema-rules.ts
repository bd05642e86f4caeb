import { ApiSchema } from '@nestjs/swagger';

/**
 * Adds to what the API document says of a class what no single field can say: an example, which fields need or exclude each other,
 * and whether others may stand beside them. JSON Schema keywords.
 */
export function SchemaRules(keywords: object): ClassDecorator {
  // The framework writes whatever it is given into the schema, and types a part of it.
  return ApiSchema(keywords);
}
