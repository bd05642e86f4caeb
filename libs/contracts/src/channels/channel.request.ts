import type { Channel } from '@postrider/domain';
import { Optional, Rule, SaysOfClass } from '../validation/field';
import { IsChannel, IsNameList } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';

const MOST_CHANNELS = 200;
const MOST_MEMBERS = 1_000;
const USUAL = 100;
const MOST_NAMED = 10_000;
const DEVICE_PLACE = /^\d{1,18}$/;
const CHANNEL_PLACE = /^(?:public|private)\/[\w.-]{1,128}$/;

/** The path of resources of one channel. */
export class ChannelPath {
  @IsChannel() channel!: Channel;
}

/** The query of `GET /api/channels`. */
export class ListChannelsQuery {
  @IsCursor(CHANNEL_PLACE) cursor?: string;
  @IsLimit(MOST_CHANNELS, USUAL) limit!: number;
}

/** The query of `GET /api/channels/:channel/members`. */
export class ListChannelMembersQuery {
  @IsCursor(DEVICE_PLACE) cursor?: string;
  @IsLimit(MOST_MEMBERS, USUAL) limit!: number;
}

/** The members that `POST` and `DELETE channels/:channel/members` name. */
@SaysOfClass({
  anyOf: [{ required: ['users'] }, { required: ['installations'] }],
  examples: [{ users: ['ada', 'grace'] }, { installations: ['01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d'] }],
})
export class ChannelMembersRequest {
  @Optional()
  @IsNameList({ max: MOST_NAMED })
  @Rule<ChannelMembersRequest>((_, isSent) =>
    isSent('users') || isSent('installations') ? null : 'is required, or installations',
  )
  users?: string[];

  @Optional() @IsNameList({ max: MOST_NAMED }) installations?: string[];
}
