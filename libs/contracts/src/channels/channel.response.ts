import type { Channel } from '@postrider/domain';
import { CountField, FlagField, IdField, ListField, NextCursorField, TextField } from '../validation/answers';

/** A channel and its size. */
export class ChannelResponse {
  @TextField() channel!: Channel;
  @CountField({ description: 'installations that are members' }) size!: number;
  @FlagField({ description: 'true for a default channel: every installation is always a member' })
  isEverybody!: boolean;
}

/** The channels of an application. */
export class ChannelListResponse {
  @ListField(() => ChannelResponse) channels!: ChannelResponse[];
  @NextCursorField() nextCursor!: string | null;
}

/** A member of a channel. */
export class ChannelMemberResponse {
  @IdField() installationId!: string;
  @TextField() userId!: string;
}

/** The members of a channel. */
export class ChannelMemberListResponse {
  @ListField(() => ChannelMemberResponse) members!: ChannelMemberResponse[];
  @NextCursorField() nextCursor!: string | null;
}
