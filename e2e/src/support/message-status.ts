import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';

/** The reading API's answer about a message. */
export interface MessageStatus {
  id: string;
  status: string;
  count: number;
  recipients: number;
  totals: Record<string, number>;
}

/** Between two looks at a campaign that runs: each look is work for the gateway and the database that are to send it. */
export const LOOK_EVERY_MS = 200;

/** Waits until a message or campaign is done. */
export function untilDone(server: Api, path: 'messages' | 'campaigns', id: string): Promise<MessageStatus> {
  return until(async () => {
    const found = await server.find<MessageStatus>(`/api/push/${path}/${id}`).catch(() => null);
    return found?.status === 'done' ? found : null;
  }, LOOK_EVERY_MS);
}
