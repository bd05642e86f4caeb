import type { JsonObject } from '@postrider/domain';
import { IsRevision } from '../drafts/draft.request';
import { MOST_VARIABLES } from '../messages/variables';
import { TemplateVariable } from '../templates/template-variables';
import { Optional } from '../validation/field';
import { IsJsonObject, IsName, IsTime } from '../validation/fields';
import { IsNestedList } from '../validation/nested';

/** What an object of an application keeps in an archive beside its content. Archives of version 1 have none of it. */
export class ArchivedOrigin {
  @Optional() @IsName() id?: string;
  @Optional() @IsTime() createdAt?: Date;
  @Optional() @IsTime() updatedAt?: Date;
  @Optional() @IsRevision('of a template: its newest version') version?: number;
  @Optional() @IsRevision('of a draft') revision?: number;
}

/** A former version of a template, as an archive holds it. Only sends with the version read its content. */
export class ArchivedTemplateVersion {
  @IsName() templateId!: string;
  @IsRevision('the version') version!: number;
  @IsTime() createdAt!: Date;
  @IsJsonObject() message!: JsonObject;
  @IsNestedList(() => TemplateVariable, { max: MOST_VARIABLES }) variables!: TemplateVariable[];
}
