import type { InstallationResponse } from '../api/generated/document';

/** What is known of a device that says whether a message can reach it. */
export type ReachableFacts = Pick<InstallationResponse, 'deviceToken' | 'tokenStatus' | 'pushType' | 'realtime'>;

/** Whether and how a device can be reached, in a word and in a sentence. */
export interface Reachability {
  isReachable: boolean;
  label: string;
  why: string;
}

const VENDORS: Record<string, string> = { fcm: 'FCM', apns: 'APNs', hms: 'Huawei', webpush: 'web push' };
const TOKEN_STATES: Record<string, string> = {
  DENIED: 'Its user does not allow notifications.',
  ERR: 'It could not get a token of its vendor.',
};

/** Says how messages reach a device. */
export function sayReachability({ deviceToken, tokenStatus, pushType, realtime }: ReachableFacts): Reachability {
  const isAllowed = tokenStatus === null || tokenStatus === 'ALLOWED';
  if (deviceToken !== null && pushType !== null && isAllowed) {
    const vendor = VENDORS[pushType] ?? pushType;
    return { isReachable: true, label: 'Reachable', why: `Messages reach it by ${vendor}.` };
  }
  if (realtime) {
    return {
      isReachable: true,
      label: 'In the app',
      why: 'It has no usable token: messages reach it over its own connection.',
    };
  }
  const reason =
    deviceToken === null ? 'It has no token of a vendor.' : (TOKEN_STATES[tokenStatus ?? ''] ?? sayStatus(tokenStatus));
  return { isReachable: false, label: 'Not reachable', why: `${reason} Nothing can be sent to it.` };
}

function sayStatus(status: string | null): string {
  if (status?.startsWith('NOT_SUPPORTED')) return 'It does not support notifications.';
  return `Its token is switched off (${status ?? 'unknown'}).`;
}
