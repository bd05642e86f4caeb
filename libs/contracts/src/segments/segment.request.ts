import { type Channel, type JsonObject, UUID } from '@postrider/domain';
import { Example, Optional, RequiresOneOf, Rule } from '../validation/field';
import { IsChannel, IsFlag, IsName, IsTime } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import { IsRuleGroup, IsTarget } from './rule-group';

const RULES = {
  target: { deviceType: 'android' },
  segment: { all: [{ name: 'launchTime', operator: 'after', value: '7d' }] },
};

/** Rules as they were written, for the segment language to check. */
@RequiresOneOf('target', 'segment')
export class RulesRequest {
  @Optional()
  @IsTarget()
  target?: JsonObject;

  @Optional()
  @IsRuleGroup()
  segment?: JsonObject;
}

/** The body of `POST /api/segments` and `PUT /api/segments/:id`. */
@Example({ name: 'Seen this week', ...RULES })
export class SegmentRequest extends RulesRequest {
  @IsName()
  name!: string;
}

/** A group whose devices are asked about: the body of `POST /api/segments/export`. */
@Example({ ...RULES, channel: 'sport' })
export class GroupRequest extends RulesRequest {
  @IsChannel({ default: 'public/default' })
  channel!: Channel;
}

/** The body of `POST /api/segments/count`. */
@Example({ ...RULES, users: true })
export class CountGroupRequest extends GroupRequest {
  @IsFlag('whether users are counted as well: slower', { default: false })
  users!: boolean;
}

/** The body of `POST /api/segments/explain`: whose devices are to be explained one by one. */
@Example({ ...RULES, userId: 'ada' })
export class ExplainGroupRequest extends GroupRequest {
  @Optional()
  @IsName('whose devices are explained as well')
  userId?: string;

  @Optional()
  @IsName('the device that is explained as well; not beside userId')
  @Rule<ExplainGroupRequest>(({ userId, installationId }) =>
    userId !== undefined && installationId !== undefined ? 'must not be sent together with userId' : null,
  )
  installationId?: string;
}

/** The query of `GET /api/segments`. */
export class SegmentsQuery {
  @IsCursor(UUID)
  cursor?: string;

  @IsLimit(200, 50)
  limit!: number;
}

/** The query of `GET /api/segments/:id/sizes`. Absent: from the beginning, until now. */
export class SegmentSizesQuery {
  @Optional()
  @IsTime()
  from?: Date;

  @Optional()
  @IsTime()
  @Rule<SegmentSizesQuery>(({ from, to }) => (from && to && from >= to ? 'must be after from' : null))
  to?: Date;
}
