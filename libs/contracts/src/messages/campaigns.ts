import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  CountField,
  IdField,
  NextCursorField,
  ObjectField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';
import { Example, Optional } from '../validation/field';
import { IsName } from '../validation/fields';
import { MessageSummaryResponse } from './message.response';

/** A campaign to be made before its first send. */
@Example({ trackId: 'spring-2026', name: 'Spring sale' })
export class NewCampaignRequest {
  @IsName() trackId!: string;
  @Optional() @IsName() name?: string;
}

/** A campaign that was made before its first send. */
export class PlannedCampaignResponse {
  @IdField() id!: string;
  @TextField() trackId!: string;
  @TextField({ isNullable: true }) name!: string | null;
  @WordField(['accepted']) status!: 'accepted';
  @CountField() count!: 0;
  @TimeField() createdAt!: string;
}

/** The receipts of a campaign so far. */
export class CampaignEngagementResponse {
  @CountField({ description: 'devices that confirmed it' }) delivered!: number;
  @CountField({ description: 'devices that opened it' }) opened!: number;

  @CountField({ description: 'devices that chose an action or a link; each counts once' }) clicked!: number;
}

/** A campaign in the list. */
export class CampaignSummaryResponse extends MessageSummaryResponse {
  @ObjectField(() => CampaignEngagementResponse) engagement!: CampaignEngagementResponse;
}

/** A part of the list of campaigns: messages that were sent, and campaigns without a send. */
@ApiExtraModels(CampaignSummaryResponse, PlannedCampaignResponse)
export class CampaignsResponse {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [CampaignSummaryResponse, PlannedCampaignResponse].map((type) => ({ $ref: getSchemaPath(type) })) },
  })
  campaigns!: (CampaignSummaryResponse | PlannedCampaignResponse)[];

  @NextCursorField() nextCursor!: string | null;
}
