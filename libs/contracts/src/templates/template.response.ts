import type { JsonObject, JsonValue } from '@postrider/domain';
import {
  AnyJsonField,
  CountField,
  FlagField,
  IdField,
  JsonField,
  ListField,
  NextCursorField,
  TextField,
  TimeField,
} from '../validation/answers';

/** A variable that a template expects. */
export class TemplateVariableResponse {
  @TextField() name!: string;
  @FlagField() required!: boolean;
  @AnyJsonField({ isOptional: true }) default?: JsonValue;
  @TextField({ isOptional: true }) description?: string;
}

/** A template in a list. */
export class TemplateSummaryResponse {
  @IdField() id!: string;
  @TextField() name!: string;
  @TextField({ isNullable: true }) description!: string | null;
  @CountField({ description: 'the newest version' }) version!: number;
  @TimeField() createdAt!: string;
  @TimeField() updatedAt!: string;
  @TextField({ description: 'who made the newest version: the name of an access token, or `operator`' })
  updatedBy!: string;
}

/** A probable mistake in a template, which can still be sent. */
export class TemplateWarningResponse {
  @TextField({ description: 'where it stands in the template, as in errors: `message.content`, `variables[0]`' })
  path!: string;
  @TextField() message!: string;
}

/** A template, at its newest version or at the requested one. */
export class TemplateResponse extends TemplateSummaryResponse {
  @JsonField({ description: 'the content of a message' }) message!: JsonObject;
  @ListField(() => TemplateVariableResponse) variables!: TemplateVariableResponse[];
  @ListField(() => TemplateWarningResponse, {
    description: 'names in its texts that never have a value, and variables that it does not list, or does not read',
  })
  warnings!: TemplateWarningResponse[];
}

/** The answer of `GET /api/templates`. */
export class TemplatesResponse {
  @ListField(() => TemplateSummaryResponse) templates!: TemplateSummaryResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** One version of a template. */
export class TemplateVersionResponse {
  @CountField() version!: number;
  @TimeField() createdAt!: string;
  @TextField({ description: 'the name of an access token, or `operator`' }) createdBy!: string;
}

/** The answer of `GET /api/templates/:id/versions`. */
export class TemplateVersionsResponse {
  @ListField(() => TemplateVersionResponse) versions!: TemplateVersionResponse[];
  @NextCursorField() nextCursor!: string | null;
}
