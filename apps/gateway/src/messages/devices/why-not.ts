import { DEFAULT_CHANNELS } from '@postrider/domain';
import type { Installation, MessageRecord } from '@postrider/persistence';

/** What is known about a device that a message did not reach. */
interface MissedDevice {
  installation: Installation;
  /** Since when it belongs to its present owner. */
  ownedSince: Date;
}

/** Why a message did not reach a device, in a sentence, as far as it is still known. */
export function whyNot(message: MessageRecord, device: MissedDevice): string {
  return (
    whyNoRecipient(message, device) ??
    whyUnresolved(message) ??
    whyNoConnection(message, device.installation) ??
    whyNoToken(device.installation) ??
    'The device did not match the rules of the message, or could not be reached, when the message was accepted'
  );
}

function whyNoRecipient(message: MessageRecord, { installation, ownedSince }: MissedDevice): string | null {
  const { acceptedAt, sendAt, userIds, channel } = message;
  // The audience of a scheduled message is resolved when it leaves.
  const since = sendAt ?? acceptedAt;
  const then = since === sendAt ? 'was to be sent' : 'was accepted';
  if (installation.createdAt > since) return `The device was registered after the message ${then}`;
  if (ownedSince > since) {
    return `The device belonged to another user when the message ${then}; a message for them is not sent to the next owner`;
  }
  if (userIds !== null && !userIds.includes(installation.userId)) return 'The message is for other users';
  const isEverybody = (DEFAULT_CHANNELS as readonly string[]).includes(channel);
  if (isEverybody || installation.channels.includes(channel)) return null;
  return `The device is not a member of the channel ${channel}`;
}

function whyUnresolved({ status, resolvedAt, sendAt }: MessageRecord): string | null {
  if (resolvedAt !== null) return null;
  if (status === 'cancelled') return 'The message was cancelled before its audience was resolved';
  if (sendAt !== null)
    return 'The audience is resolved when the scheduled message leaves; the device may be in it then';
  return 'The audience is still being resolved; the device may be in it';
}

function whyNoConnection({ content }: MessageRecord, { realtime }: Installation): string | null {
  if (content.live) return 'The message was for devices that were connected at that moment, and this one was not';
  return content.inApp && !realtime ? 'The message was only for devices that use the connection of the service' : null;
}

function whyNoToken({ token, tokenStatus, realtime }: Installation): string | null {
  if (realtime) return null;
  if (token === null)
    return 'The device cannot be reached: it has registered no push token, and does not use the connection of the service';
  if (tokenStatus !== null && tokenStatus !== 'ALLOWED') {
    return `The device cannot be reached: its push token was switched off (${tokenStatus})`;
  }
  return null;
}
