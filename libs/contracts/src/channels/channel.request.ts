import { type Channel, parseChannel } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST_CHANNELS = 200;
const MOST_MEMBERS = 1_000;
const DEFAULT = 100;
const DEVICE = /^\d{1,18}$/;
const CHANNEL = /^(?:public|private)\/[\w.-]{1,128}$/;

/** The query of `GET /api/channels`. */
export interface ListChannelsRequest {
  /** '' for the first page. */
  afterName: string;
  limit: number;
}

/** The path and query of `GET /api/channels/:channel/members`. */
export interface ListMembersRequest {
  channel: Channel;
  afterDeviceId: string;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListChannels(query: unknown): ListChannelsRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    afterName: fields.optional('cursor', (value) => readCursor(value, CHANNEL)) ?? '',
    limit: fields.integer('limit', 1, MOST_CHANNELS) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListMembers(channelName: string, query: unknown): ListMembersRequest {
  const fields = new BodyReader(query ?? {});
  const channel = parseChannel(channelName);
  if (channel === null) fields.reject('channel', 'must be 1 to 128 letters, digits, _ - . behind public/ or private/');
  const request = {
    channel: channel ?? ('public/default' as const),
    afterDeviceId: fields.optional('cursor', (value) => readCursor(value, DEVICE)) ?? '0',
    limit: fields.integer('limit', 1, MOST_MEMBERS) ?? DEFAULT,
  };
  fields.finish();
  return request;
}
