import type { PublishedOn } from '../protocol/topics';

/** What is to be published when the connection ends without a goodbye (MQTT 3.1.1 §3.1.2.5). */
export interface Will {
  on: PublishedOn;
  payload: Buffer;
}
