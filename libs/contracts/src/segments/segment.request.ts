import { type Channel, type JsonObject, USUAL_CHANNEL, UUID } from '@postrider/domain';
import { IsRevision } from '../drafts/draft.request';
import { Example, Optional, RequiresOneOf, Rule } from '../validation/field';
import { IsChannel, IsFlag, IsName, IsNamePart, IsTime } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import { IsRuleGroup, IsSavedGroup, IsTarget } from './rule-group';

const RULES = {
  target: { deviceType: 'android' },
  segment: { all: [{ name: 'launchTime', operator: 'after', value: '7d' }] },
};

/** Unparsed rules, which the segment language checks. */
@RequiresOneOf('target', 'segment')
export class RulesRequest {
  @Optional() @IsTarget() target?: JsonObject;
  @Optional() @IsRuleGroup() segment?: JsonObject;
}

/** The body of `POST /api/segments`. */
@RequiresOneOf('target', 'segment')
@Example({ name: 'Seen this week', ...RULES })
export class SegmentRequest {
  @IsName() name!: string;
  @Optional() @IsTarget() target?: JsonObject;
  @Optional() @IsSavedGroup() segment?: JsonObject;
}

/** The body of `PUT /api/segments/:id`. */
@Example({ name: 'Seen this week', ...RULES, revision: 1 })
export class SegmentChangesRequest extends SegmentRequest {
  @Optional()
  @IsRevision('change the segment only while it has this revision; if it has another one by now, the answer is 409')
  revision?: number;
}

/** A group of devices: the body of `POST /api/segments/export`. */
@Example({ ...RULES, channel: 'sport' })
export class GroupRequest extends RulesRequest {
  @IsChannel({ default: USUAL_CHANNEL }) channel!: Channel;
}

/** The body of `POST /api/segments/count`. */
@Example({ ...RULES, users: true })
export class CountGroupRequest extends GroupRequest {
  @IsFlag('true to count users too, which is slower', { default: false }) users!: boolean;
}

/** The body of `POST /api/segments/explain`: the user or installation whose devices are explained. */
@Example({ ...RULES, userId: 'ada' })
export class ExplainGroupRequest extends GroupRequest {
  @Optional() @IsName('the user whose devices are explained too') userId?: string;

  @Optional()
  @IsName('the device that is explained too; not together with userId')
  @Rule<ExplainGroupRequest>(({ userId, installationId }) =>
    userId !== undefined && installationId !== undefined ? 'must not be sent together with userId' : null,
  )
  installationId?: string;
}

/** The query of `GET /api/segments`. */
export class SegmentsQuery {
  @Optional() @IsNamePart() name?: string;
  @IsCursor(UUID) cursor?: string;
  @IsLimit(200, 50) limit!: number;
  @Optional() @IsFlag('true to list each segment with its `trend`') trend?: boolean;
}

/** The query of `GET /api/segments/:id/sizes`. Absent: from the beginning, until now. */
export class SegmentSizesQuery {
  @Optional() @IsTime() from?: Date;

  @Optional()
  @IsTime()
  @Rule<SegmentSizesQuery>(({ from, to }) => (from && to && from >= to ? 'must be after from' : null))
  to?: Date;
}
