import { IMPORT_FORMATS } from '@postrider/domain';
import {
  CountField,
  IdField,
  ListField,
  NextCursorField,
  ObjectField,
  TextField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';

const STATUSES = ['uploading', 'working', 'done', 'failed'] as const;

/** A file that was accepted. */
export class AcceptedImportResponse {
  @IdField({ description: 'to ask how far it is' }) jobId!: string;
}

/** A wrong record of a file, or a wrong value of it. */
export class ImportErrorResponse {
  @CountField({ isOptional: true, description: 'the first line of the record; the header is line 1' }) line?: number;
  @CountField({ isOptional: true, description: 'the element of a JSON document, from 0' }) index?: number;
  @TextField() message!: string;
}

/** FCM's answers about the tokens of a file. */
export class ImportValidationResponse {
  @CountField({ description: 'records whose token FCM accepts' }) valid!: number;
  @CountField({ description: 'records whose token FCM refused; they are not imported, and counted in `failed`' })
  invalid!: number;
  @CountField({ description: 'records that were imported although FCM gave no answer about their token' })
  unanswered!: number;
  @TextField({ isNullable: true, description: 'why there was no answer, the last time' }) lastError!: string | null;
}

/** A file of devices and the progress of its import, as in a list. */
export class ImportSummaryResponse {
  @IdField() jobId!: string;
  @TextField({ isNullable: true, description: 'the name of the file, if the upload said it' }) name!: string | null;
  @WordField(STATUSES) status!: (typeof STATUSES)[number];
  @TextField({ isNullable: true, description: 'why it failed' }) reason!: string | null;
  @WordField([...IMPORT_FORMATS, 'mapping']) format!: string;
  @CountField() bytes!: number;
  @CountField() bytesWorked!: number;
  @CountField({ description: 'read so far; elements of a JSON document' }) lines!: number;
  @CountField({ description: 'devices that are new' }) created!: number;
  @CountField({ description: 'devices that changed, themselves or in the data of their users' }) updated!: number;
  @CountField() unchanged!: number;
  @CountField({ description: 'records that push cannot reach: without a token, of e-mail, SMS or other push services' })
  skipped!: number;
  @CountField({ description: 'records that are wrong; they are left out' }) failed!: number;
  @CountField({ description: 'records that are imported without a wrong value' }) incomplete!: number;
  @TextsField({ description: 'columns that the mapping names, and that no record so far has' })
  missingColumns!: string[];
  @TextsField({
    description: 'columns of CSV that are not read: the format does not have them, and no mapping names them',
  })
  unreadColumns!: string[];
  @ObjectField(() => ImportValidationResponse, { isNullable: true, description: 'null: it was not asked for' })
  validation!: ImportValidationResponse | null;
  @TimeField() startedAt!: string;
  @TimeField({ isNullable: true }) finishedAt!: string | null;
}

/** A file of devices, the progress of its import, and the records that are wrong. */
export class ImportResponse extends ImportSummaryResponse {
  @ListField(() => ImportErrorResponse, { description: 'the first hundred' }) errors!: ImportErrorResponse[];
}

/** The answer of `GET installations/import`. */
export class ImportsResponse {
  @ListField(() => ImportSummaryResponse) imports!: ImportSummaryResponse[];
  @NextCursorField() nextCursor!: string | null;
}
