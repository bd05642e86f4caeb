import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { CountField, IdField, NextCursorField, TextField, TimeField, WordField } from '../validation/answers';
import { Example, Optional } from '../validation/field';
import { IsName } from '../validation/fields';
import { MessageSummaryResponse } from './message.response';

/** A campaign to be made ahead of its first send. */
@Example({ trackId: 'spring-2026', name: 'Spring sale' })
export class NewCampaignRequest {
  @IsName() trackId!: string;
  @Optional() @IsName() name?: string;
}

/** A campaign that was made ahead of its first send. */
export class PlannedCampaignResponse {
  @IdField() id!: string;
  @TextField() trackId!: string;
  @TextField({ isNullable: true }) name!: string | null;
  @WordField(['accepted']) status!: 'accepted';
  @CountField() count!: 0;
  @TimeField() createdAt!: string;
}

/** A part of the list of campaigns: what was sent, and what was made ahead of its first send. */
@ApiExtraModels(MessageSummaryResponse, PlannedCampaignResponse)
export class CampaignsResponse {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [MessageSummaryResponse, PlannedCampaignResponse].map((type) => ({ $ref: getSchemaPath(type) })) },
  })
  campaigns!: (MessageSummaryResponse | PlannedCampaignResponse)[];

  @NextCursorField() nextCursor!: string | null;
}
