import type { Channel } from '@postrider/domain';

/** A channel and its size. */
export interface ChannelResponse {
  channel: Channel;
  /** Installations that are members. */
  size: number;
  /** A default channel: every installation is a member, always. */
  isEverybody: boolean;
}

/** A member of a channel. */
export interface ChannelMemberResponse {
  installationId: string;
  userId: string;
}

const CHANNEL = {
  type: 'object',
  required: ['channel', 'size', 'isEverybody'],
  properties: {
    channel: { type: 'string' },
    size: { type: 'integer', minimum: 0 },
    isEverybody: { type: 'boolean', description: 'every device is a member' },
  },
};

export const CHANNEL_SCHEMA = CHANNEL;

export const CHANNELS_SCHEMA = {
  type: 'object',
  required: ['channels', 'nextCursor'],
  properties: { channels: { type: 'array', items: CHANNEL }, nextCursor: { type: ['string', 'null'] } },
};

export const MEMBERS_SCHEMA = {
  type: 'object',
  required: ['members', 'nextCursor'],
  properties: {
    members: {
      type: 'array',
      items: {
        type: 'object',
        properties: { installationId: { type: 'string', format: 'uuid' }, userId: { type: 'string' } },
      },
    },
    nextCursor: { type: ['string', 'null'] },
  },
};
