import { join } from 'node:path';
import { describeApi } from '@postrider/gateway/describe-api';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { limitsOf } from './limits';
import { typedParts } from './typed-parts';

const ROOT = join(__dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'apps', 'panel', 'src', 'api', 'generated');
const HEAD = '// Made from the API document by `npm run panel-types`; not written by hand.\n\n';

/** A file of the panel that is made from the API document. */
export interface GeneratedFile {
  path: string;
  text: string;
}

/** The files as they are when they fit the API document: the types of its operations and schemas, and the limits of what is sent. */
export async function panelTypes(): Promise<GeneratedFile[]> {
  const document = (await describeApi()) as unknown as OpenAPI3;
  const types = await openapiTS(typedParts(document), {
    alphabetize: true,
    // A field of a request with a default may be left out.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return [file('document.ts', astToString(types)), file('limits.ts', limitsOf(document))];
}

function file(name: string, text: string): GeneratedFile {
  return { path: join(FOLDER, name), text: HEAD + text };
}
