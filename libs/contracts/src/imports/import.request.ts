import { IMPORT_FORMATS, type PushVendor, PUSH_VENDORS, UUID } from '@postrider/domain';
import { fieldOf, Optional } from '../validation/field';
import { IsFlag, IsName, IsOneOf, IsWholeNumber } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import { type ImportMapping, readMapping } from './import-mapping';

/** How many tokens a vendor is asked about per second by default, and at most. */
export const VALIDATIONS_A_SECOND = 100;
const MOST_VALIDATIONS_A_SECOND = 1_000;

/** The query of `POST installations/import`. */
export class ImportQuery {
  @Optional() @IsName('the name of the file, by which the list of imports shows it') name?: string;

  @Optional()
  @IsOneOf(IMPORT_FORMATS, { description: 'by default recognised by the header or the first object' })
  format?: (typeof IMPORT_FORMATS)[number];

  @Optional() @IsMapping() mapping?: ImportMapping;

  @Optional()
  @IsFlag('true if the first line of a CSV file names its columns; otherwise they have numbers from 1')
  header?: boolean;

  @Optional() @IsOneOf(PUSH_VENDORS, { description: 'of lists that do not say it' }) pushType?: PushVendor;

  @Optional()
  @IsFlag('true to ask FCM about each of its tokens first, by a message that reaches no device')
  validate?: boolean;

  @Optional()
  @IsWholeNumber(1, MOST_VALIDATIONS_A_SECOND, {
    description: `with \`validate\`: how many tokens FCM is asked about in a second; by default ${VALIDATIONS_A_SECOND}`,
  })
  validationRate?: number;
}

/** The query of `GET installations/import`. */
export class ImportsQuery {
  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
}

function IsMapping(): PropertyDecorator {
  return fieldOf<ImportMapping>({
    name: 'isMapping',
    read: readMapping,
    schema: {
      type: 'string',
      description:
        'JSON of `{ <field>: <column> | { "value": … } }`. Fields are those of a registration, `tags.<key>` and `attributes.<name>`',
      example: '{"deviceToken":"token","userId":"customer","tags.plan":"plan","deviceType":{"value":"android"}}',
    },
  });
}
