import { type Channel, parseChannel } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';

const MOST = 10_000;

/** The members that `POST` and `DELETE channels/:channel/members` name. */
export interface ChannelMembersRequest {
  channel: Channel;
  users: string[];
  installations: string[];
}

/** @throws InvalidRequest naming every bad field */
export function readChannelMembers(channelName: string, body: unknown): ChannelMembersRequest {
  const fields = new BodyReader(body);
  const channel = parseChannel(channelName);
  if (channel === null) fields.reject('channel', 'must be 1 to 128 letters, digits, _ - . behind public/ or private/');
  const users = fields.nameList('users', MOST);
  const installations = fields.nameList('installations', MOST);
  if (users === null && installations === null) fields.reject('users', 'is required, or installations');
  fields.finish();
  return { channel: channel ?? 'public/default', users: users ?? [], installations: installations ?? [] };
}
